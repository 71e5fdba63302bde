package dev.outbox.relay;

import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Reason;
import dev.outbox.RetryPolicy;
import dev.outbox.relay.PublishOutcome.Failed;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Asks the application's policy what becomes of a failed message, and the default one when there is no good answer. */
final class RetryDecisions {

    private static final Duration LONGEST = Duration.ofDays(365);

    private final RetryPolicy policy;
    private final RetryPolicy fallback;
    private final RelayLog log;

    RetryDecisions(RetryPolicy policy, RetryPolicy fallback, RelayLog log) {
        this.policy = policy;
        this.fallback = fallback;
        this.log = log;
    }

    FailedAttempt decide(Failed failed) {
        PendingMessage message = failed.message();
        PublishFailure failure = new PublishFailure(
                message.describe(),
                // A row of a writer in SQL may have any number.
                (int) Math.min(Integer.MAX_VALUE, Math.max(0L, message.attempts()) + 1),
                reason(failed.cause()),
                FailureText.of(failed.cause(), message),
                failed.cause());
        return new FailedAttempt(message, failure, nextAttempt(failure).orElse(null));
    }

    private Optional<Duration> nextAttempt(PublishFailure failure) {
        try {
            Optional<Duration> answer = policy.nextAttempt(failure);
            if (makesSense(answer)) {
                return answer;
            }
            log.policyFailed("its answer makes no sense: " + answer);
        } catch (RuntimeException | Error e) {
            log.policyFailed(FailureText.of(e));
        }
        return fallback.nextAttempt(failure);
    }

    @SuppressWarnings("NullableOptional") // whoever implements the policy may not know of null
    private static boolean makesSense(@Nullable Optional<Duration> answer) {
        return answer != null
                && (answer.isEmpty()
                        || (!answer.get().isNegative() && answer.get().compareTo(LONGEST) <= 0));
    }

    private static Reason reason(Throwable cause) {
        if (cause instanceof RecordTooLargeException || cause instanceof RecordBatchTooLargeException) {
            return Reason.TOO_LARGE;
        }
        return cause instanceof KafkaException && !(cause instanceof SerializationException)
                ? Reason.REFUSED
                : Reason.MALFORMED;
    }
}
