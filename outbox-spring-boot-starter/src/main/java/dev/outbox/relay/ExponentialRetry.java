package dev.outbox.relay;

import dev.outbox.PublishFailure;
import dev.outbox.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/** The default policy: so many attempts, and a growing delay with full jitter between them. */
record ExponentialRetry(int maxAttempts, Backoff backoff) implements RetryPolicy {

    @Override
    public Optional<Duration> nextAttempt(PublishFailure failure) {
        return failure.attempts() >= maxAttempts ? Optional.empty() : Optional.of(backoff.delay(failure.attempts()));
    }
}
