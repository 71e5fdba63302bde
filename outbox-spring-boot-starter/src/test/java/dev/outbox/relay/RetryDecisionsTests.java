package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Reason;
import dev.outbox.RetryPolicy;
import dev.outbox.relay.PublishOutcome.Failed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RetryDecisionsTests {

    private static final Duration FALLBACK = Duration.ofSeconds(7);

    private final RelayLog log = new RelayLog(System::nanoTime);

    @Test
    void theDefaultGivesAMessageUpAfterItsLastAttemptAndNotBefore() {
        ExponentialRetry policy =
                new ExponentialRetry(10, new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5)));

        for (int attempts = 0; attempts < 9; attempts++) {
            Duration bound = Duration.ofSeconds(1L << attempts);
            for (int i = 0; i < 100; i++) {
                assertThat(decide(policy, attempts).delay()).isBetween(Duration.ZERO, bound);
            }
        }
        assertThat(decide(policy, 9).delay()).isNull();
        assertThat(decide(policy, Integer.MAX_VALUE).delay()).isNull();
        assertThat(decide(policy, -1).delay()).isNotNull();
    }

    @Test
    void theApplicationDecides() {
        List<PublishFailure> asked = new ArrayList<>();
        RetryPolicy policy = failure -> {
            asked.add(failure);
            return failure.reason() == Reason.TOO_LARGE ? Optional.empty() : Optional.of(Duration.ZERO);
        };

        assertThat(decide(policy, 0, new RecordTooLargeException("2 MB")).delay())
                .isNull();
        assertThat(decide(policy, 4, new InvalidRecordException("no key")).delay())
                .isZero();
        assertThat(decide(policy, 0, new IllegalArgumentException("headers")).delay())
                .isZero();
        assertThat(asked)
                .extracting(PublishFailure::reason)
                .containsExactly(Reason.TOO_LARGE, Reason.REFUSED, Reason.MALFORMED);
        assertThat(asked).extracting(PublishFailure::attempts).containsExactly(1, 5, 1);
        assertThat(asked.get(1).error()).isEqualTo("InvalidRecordException: no key");
        assertThat(asked.get(1).message().topic()).isEqualTo("orders");
    }

    @ParameterizedTest
    @MethodSource
    void aPolicyThatFailsOrMakesNoSenseIsReplacedByTheDefault(RetryPolicy policy) {
        assertThat(decide(policy, 0).delay()).isEqualTo(FALLBACK);
    }

    static Stream<RetryPolicy> aPolicyThatFailsOrMakesNoSenseIsReplacedByTheDefault() {
        return Stream.of(
                failure -> null,
                failure -> Optional.of(Duration.ofNanos(-1)),
                failure -> Optional.of(Duration.ofSeconds(Long.MIN_VALUE)),
                failure -> Optional.of(Duration.ofSeconds(Long.MAX_VALUE)),
                failure -> Optional.of(Duration.ofDays(366)),
                failure -> {
                    throw new IllegalStateException("broken");
                },
                failure -> {
                    throw new NoClassDefFoundError("broken");
                });
    }

    private FailedAttempt decide(RetryPolicy policy, int attempts) {
        return decide(policy, attempts, new InvalidRecordException("refused"));
    }

    private FailedAttempt decide(RetryPolicy policy, int attempts, Throwable cause) {
        RetryDecisions decisions = new RetryDecisions(policy, failure -> Optional.of(FALLBACK), log);
        return decisions.decide(new Failed(Messages.message(1, "orders", "17", attempts, null), cause));
    }
}
