package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a failed assertion prints. */
class StoredMessageTests {

    private static final UUID ID = UUID.fromString("0190b5a0-0000-7000-8000-000000000001");

    @Test
    void aMessageIsOneReadableLine() {
        assertThat(message(ID, "OrderPlaced", "42", "application/json", "{\"orderId\":42}", 0))
                .hasToString("OrderPlaced order/42 -> order.events [42] PENDING: {\"orderId\":42}");
        assertThat(message(ID, null, null, "text/plain", "text", 0))
                .hasToString("message -> order.events [null] PENDING: text");
        assertThat(message(ID, null, null, null, null, 1))
                .hasToString("message -> order.events [null] PENDING after 1 attempt (why): tombstone");
        assertThat(message(ID, null, null, "application/octet-stream", "bytes", 2))
                .hasToString("message -> order.events [null] PENDING after 2 attempts (why): 5 bytes");
        assertThat(message(ID, null, null, "text/plain", "x".repeat(501), 0).toString())
                .endsWith("PENDING: " + "x".repeat(500) + "...");
    }

    @Test
    void itIsTheSameMessageWhateverBecameOfIt() {
        StoredMessage before = message(ID, "OrderPlaced", "42", "application/json", "{}", 0);
        StoredMessage later = message(ID, "OrderPlaced", "42", "application/json", "{}", 1);
        StoredMessage other = message(new UUID(1, 2), "OrderPlaced", "42", "application/json", "{}", 0);

        assertThat(later).isEqualTo(before).hasSameHashCodeAs(before);
        assertThat(other).isNotEqualTo(before);
    }

    private static StoredMessage message(
            UUID id,
            @Nullable String type,
            @Nullable String aggregateId,
            @Nullable String contentType,
            @Nullable String payload,
            int attempts) {
        return new StoredMessage(
                id,
                7,
                "order.events",
                aggregateId,
                aggregateId == null ? null : "order",
                aggregateId,
                type,
                contentType,
                payload == null ? null : payload.getBytes(StandardCharsets.UTF_8),
                List.of(),
                Instant.EPOCH,
                null,
                attempts,
                null,
                attempts == 0 ? null : "why",
                null);
    }
}
