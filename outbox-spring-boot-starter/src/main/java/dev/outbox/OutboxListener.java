package dev.outbox;

import java.time.Duration;

/**
 * Hears what the relay of this process has done. Beans of this type are called in the relay's thread,
 * after the transaction has committed, so they should be quick; what they throw is logged and changes
 * nothing.
 */
public interface OutboxListener {

    /** A batch has ended, and its outcome is committed. Not called for a look that found nothing to do. */
    default void batchCompleted(Batch batch) {}

    /**
     * The outcome of one batch.
     *
     * @param published messages that Kafka acknowledged
     * @param failed messages that could not be published and wait for another attempt
     * @param duration from the begin of the transaction to its commit
     */
    record Batch(int published, int failed, Duration duration) {}
}
