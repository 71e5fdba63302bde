package dev.outbox.soak;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that has committed, as its writer knows it. Times are {@link System#nanoTime()} of this JVM, in which
 * all writers are.
 *
 * @param number identifies it
 * @param writeStart before its first message was written
 * @param commitStart before the commit was sent
 * @param commitEnd when it was known that it had committed
 * @param messages in the order in which they were written
 */
record Written(long number, long writeStart, long commitStart, long commitEnd, List<Message> messages) {

    /**
     * One of its messages.
     *
     * @param index its place in the transaction
     * @param payload null for a tombstone
     * @param poison whether no broker takes it
     */
    record Message(
            int index,
            UUID id,
            String topic,
            @Nullable String key,
            @Nullable Digest payload,
            boolean poison) {}
}
