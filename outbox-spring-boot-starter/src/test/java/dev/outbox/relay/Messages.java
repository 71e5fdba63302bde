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

    private static PendingMessage message(
            long id, int lane, String topic, @Nullable String key, int attempts, @Nullable String headers) {
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
                Long.toString(id).getBytes(StandardCharsets.UTF_8),
                headers,
                Instant.EPOCH,
                attempts,
                Duration.ZERO);
    }

    static List<OutboxRecord> records(PendingMessage... messages) {
        return Stream.of(messages).map(OutboxRecord::of).toList();
    }
}
