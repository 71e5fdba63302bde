package dev.outbox;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides what becomes of a message that could not be published through its own fault: another attempt after a delay, or
 * a dead letter. A bean of this type replaces the default one, which makes a dead letter after {@code
 * outbox.relay.retry.max-attempts} and delays exponentially before.
 *
 * <p>It is called in a relay's thread, with the transaction of the batch open: it should answer at once, without I/O. If
 * there are several relay threads, they may call it at the same time. The answer takes effect if that transaction
 * commits; if not, the message is attempted again, and the policy asked again with the same number of attempts.
 *
 * <p>A policy that throws, or gives an answer that makes no sense, does no harm: the default one answers in its place,
 * and the log says so.
 */
@FunctionalInterface
public interface RetryPolicy {

    /**
     * Decides.
     *
     * @param failure the attempt that failed
     * @return the delay until the next attempt, counted from the failure by the database's clock and between nothing and
     *     365 days; or empty to make the message a dead letter
     */
    Optional<Duration> nextAttempt(PublishFailure failure);
}
