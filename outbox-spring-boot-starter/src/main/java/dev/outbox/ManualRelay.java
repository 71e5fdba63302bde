package dev.outbox;

/**
 * The relay of this process, run by hand where it does not run by itself ({@code
 * outbox.relay.auto-startup=false}): in a test, or in a job that publishes and ends. A bean wherever the
 * process has a relay.
 *
 * <p>Thread-safe: one run at a time, others wait for it.
 */
public interface ManualRelay {

    /**
     * Publishes in the calling thread until nothing is left that could be published now. What remains
     * pending waits for its next attempt or for its topic, or another relay has it in hand. A transaction of
     * the calling thread is not joined: what it has not committed yet is not seen.
     *
     * @return how many messages Kafka acknowledged
     * @throws IllegalStateException if the relay runs by itself
     * @throws OutboxRelayException if Kafka does not answer, or the database fails; what was published until
     *     then is marked, but for the batch in progress
     */
    int publishPending();
}
