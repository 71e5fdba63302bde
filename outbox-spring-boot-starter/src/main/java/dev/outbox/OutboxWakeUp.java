package dev.outbox;

/**
 * Tells the relay of this process that there may be something to publish. {@link OutboxWriter} does
 * so after each commit by itself; a service that fills {@code outbox_message} by SQL of its own may
 * do it to save the wait for the next poll.
 */
@FunctionalInterface
public interface OutboxWakeUp {

    /** Wakes the relay. Returns at once, never throws, and may be called from any thread. */
    void wakeUp();
}
