package dev.outbox.relay;

import dev.outbox.OutboxHeaders;
import dev.outbox.headers.HeadersJson;
import dev.outbox.headers.HeadersJson.StoredHeader;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** A message together with the Kafka record made of it. */
record OutboxRecord(PendingMessage message, ProducerRecord<byte[], byte[]> kafkaRecord) {

    private static final String JSON = "application/json";
    private static final String BINARY = "application/octet-stream";

    /**
     * Makes the record.
     *
     * @throws IllegalArgumentException if the row is not what a writer of the outbox would leave; Kafka's own
     *     exceptions for a record it refuses are of that kind or of their own
     */
    static OutboxRecord of(PendingMessage message) {
        Headers headers = new RecordHeaders();
        add(headers, OutboxHeaders.EVENT_ID, message.messageId().toString());
        add(headers, OutboxHeaders.EVENT_TYPE, message.eventType());
        add(headers, OutboxHeaders.AGGREGATE_TYPE, message.aggregateType());
        add(headers, OutboxHeaders.AGGREGATE_ID, message.aggregateId());
        add(headers, OutboxHeaders.EVENT_TIME, message.createdAt().toString());
        add(headers, OutboxHeaders.OUTBOX_SEQUENCE, Long.toString(message.id()));
        add(headers, OutboxHeaders.CONTENT_TYPE, contentType(message));
        if (message.retriedAt() != null) {
            add(headers, OutboxHeaders.OUTBOX_RETRIED, message.retriedAt().toString());
        }
        if (message.headers() != null) {
            for (StoredHeader header : HeadersJson.read(message.headers())) {
                if (OutboxHeaders.RESERVED.contains(header.name())) {
                    throw new IllegalArgumentException(
                            "the header name " + header.name() + " is reserved for the outbox");
                }
                headers.add(header.name(), header.value());
            }
        }
        // The partition and the time of the record are left to Kafka.
        return new OutboxRecord(
                message,
                new ProducerRecord<>(message.topic(), null, null, utf8(message.key()), message.payload(), headers));
    }

    private static void add(Headers headers, String name, @Nullable String value) {
        if (value != null) {
            headers.add(name, utf8(value));
        }
    }

    private static @Nullable String contentType(PendingMessage message) {
        if (message.payload() == null) {
            return null;
        }
        return message.contentType() != null ? message.contentType() : message.json() ? JSON : BINARY;
    }

    private static byte @Nullable [] utf8(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
