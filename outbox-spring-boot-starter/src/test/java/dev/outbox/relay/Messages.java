package dev.outbox.relay;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Messages as the relay would read them. */
final class Messages {

    private Messages() {}

    static PendingMessage message(long id, String topic, @Nullable String key) {
        return message(id, 0, topic, key);
    }

    static PendingMessage message(long id, int lane, String topic, @Nullable String key) {
        return message(id, lane, topic, key, 0, null);
    }

    static PendingMessage message(long id, String topic, @Nullable String key, int attempts, @Nullable String headers) {
        return message(id, 0, topic, key, attempts, headers);
    }

    static PendingMessage message(long id, String topic, byte[] payload, @Nullable String headers) {
        return message(id, 0, topic, null, 0, headers, payload, null);
    }

    static PendingMessage blocked(long id, String topic, String key, long deadLetter) {
        return message(id, 0, topic, key, 0, null, new byte[0], deadLetter);
    }

    private static PendingMessage message(
            long id, int lane, String topic, @Nullable String key, int attempts, @Nullable String headers) {
        return message(
                id, lane, topic, key, attempts, headers, Long.toString(id).getBytes(StandardCharsets.UTF_8), null);
    }

    private static PendingMessage message(
            long id,
            int lane,
            String topic,
            @Nullable String key,
            int attempts,
            @Nullable String headers,
            byte[] payload,
            @Nullable Long blockedBy) {
        return new PendingMessage(
                id,
                lane,
                new UUID(0, id),
                topic,
                key,
                null,
                null,
                null,
                null,
                false,
                payload,
                headers,
                Instant.EPOCH,
                attempts,
                Duration.ZERO,
                null,
                blockedBy);
    }

    static List<OutboxRecord> records(PendingMessage... messages) {
        return Stream.of(messages).map(OutboxRecord::of).toList();
    }
}
