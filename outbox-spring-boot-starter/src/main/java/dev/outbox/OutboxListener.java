package dev.outbox;

import java.time.Duration;

/**
 * Hears what the relay of this process has done. Beans of this type are called in the relay's thread, after the
 * transaction has committed: once for each outcome, by the process that committed it. A message that is published again
 * after a crash is reported by each process that marked it. They should be quick, as the relay waits for them; what they
 * throw is logged and changes nothing. If there are several relay threads, they may call at the same time.
 */
public interface OutboxListener {

    /** A batch has ended, and its outcome is committed. Not called for a look that found nothing to do. */
    default void batchCompleted(Batch batch) {}

    /** A message is published: Kafka has acknowledged it, and it is marked. */
    default void published(MessageDescription message) {}

    /**
     * An attempt for a message has failed, and there will be another one.
     *
     * @param failure what failed
     * @param nextAttempt the time from the failure to the next attempt
     */
    default void failed(PublishFailure failure, Duration nextAttempt) {}

    /** The last attempt for a message has failed: it is a dead letter now. */
    default void dead(PublishFailure failure) {}

    /**
     * The relay could not work, for a reason outside of any message: the database failed, Kafka is away, something
     * unexpected happened. It goes on by itself, and calls this again for each further failure.
     */
    default void relayFailed(Throwable cause) {}

    /**
     * The outcome of one batch.
     *
     * @param published messages that Kafka acknowledged
     * @param failed attempts that failed, the last ones of dead letters included
     * @param duration from the begin of the transaction to its commit
     */
    record Batch(int published, int failed, Duration duration) {}
}
