package dev.outbox.relay;

import dev.outbox.MessageDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as the relay reads it.
 *
 * @param json whether the payload is JSON
 * @param payload the value as it goes to Kafka, or null for a tombstone
 * @param headers the column headers as JSON, or null when there are none
 * @param dueIn how long the message has to wait for its next attempt, by the database's clock; zero if not at all
 * @param retriedAt when an operator retried it, if it had been a dead letter that did not block its key
 * @param blockedBy the dead letter that blocks its key, or null
 */
@SuppressWarnings("ArrayRecordComponent") // messages are never compared
record PendingMessage(
        long id,
        int lane,
        UUID messageId,
        String topic,
        @Nullable String key,
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        @Nullable String eventType,
        @Nullable String contentType,
        boolean json,
        byte @Nullable [] payload,
        @Nullable String headers,
        Instant createdAt,
        int attempts,
        Duration dueIn,
        @Nullable Instant retriedAt,
        @Nullable Long blockedBy) {

    /** Whether it has to wait until an operator decides about a dead letter. */
    boolean isBlocked() {
        return blockedBy != null;
    }

    /** What must stay in order behind this message: its key, or just itself if it has none. */
    OrderKey orderKey() {
        return new OrderKey(topic, key, key == null ? id : 0);
    }

    /** What may be told of it. */
    MessageDescription describe() {
        return new MessageDescription(messageId, id, topic, key, aggregateType, aggregateId, eventType, createdAt);
    }

    /** The unit of order. */
    record OrderKey(String topic, @Nullable String key, long id) {}
}
