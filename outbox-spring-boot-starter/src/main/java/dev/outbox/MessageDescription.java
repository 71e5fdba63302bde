package dev.outbox;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a message, without its payload and its headers' values: fit to be logged and counted.
 *
 * @param id the message id, which consumers receive as the header {@code event_id}
 * @param sequence the id of the row, which consumers receive as the header {@code outbox_sequence}
 * @param topic the Kafka topic
 * @param key the Kafka key, null if the message has none
 * @param aggregateType the kind of the aggregate, where the writer said so
 * @param aggregateId the id of the aggregate, where the writer said so
 * @param eventType what happened, where the writer said so
 * @param createdAt when the message was written, by the database's clock
 */
public record MessageDescription(
        UUID id,
        long sequence,
        String topic,
        @Nullable String key,
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        @Nullable String eventType,
        Instant createdAt) {}
