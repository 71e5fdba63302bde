package dev.outbox.writer;

import dev.outbox.InvalidOutboxMessageException;
import dev.outbox.OutboxHeaders;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxMessage.Header;
import dev.outbox.PayloadSerializer;
import dev.outbox.headers.HeadersJson;
import dev.outbox.kafka.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes rows of messages, and refuses what could not be stored or published. */
final class MessageRows {

    private static final String TEXT = "text/plain;charset=UTF-8";

    private final PayloadSerializer serializer;
    private final int maxMessageBytes;
    private final UuidV7 ids;

    MessageRows(PayloadSerializer serializer, int maxMessageBytes, UuidV7 ids) {
        this.serializer = serializer;
        this.maxMessageBytes = maxMessageBytes;
        this.ids = ids;
    }

    MessageRow row(OutboxMessage message) {
        Objects.requireNonNull(message, "message");
        String topic = topic(message.topic());
        Object payload = message.payload();
        String contentType = text("contentType", message.contentType());
        String json = null;
        byte[] bytes = null;
        if (payload instanceof byte[] binary) {
            bytes = binary;
        } else if (payload instanceof String string && !message.isJson()) {
            bytes = wellFormed("payload", string).getBytes(StandardCharsets.UTF_8);
            contentType = contentType == null ? TEXT : contentType;
        } else if (payload != null) {
            json = json(message, payload);
        }
        // Texts are checked before they are measured.
        String key = text("key", message.key());
        String aggregateType = text("aggregate type", message.aggregateType());
        String aggregateId = text("aggregate id", message.aggregateId());
        String type = text("type", message.type());
        String headers = headers(message.headers());
        int size = size(message, bytes != null ? bytes.length : MessageSize.utf8Length(json));
        return new MessageRow(
                message.id() != null ? message.id() : ids.next(),
                message.id() != null,
                topic,
                key,
                aggregateType,
                aggregateId,
                type,
                contentType,
                json,
                bytes,
                headers,
                size);
    }

    private static String topic(String topic) {
        if (topic.isBlank()) {
            throw new InvalidOutboxMessageException(
                    "The topic is blank. Name the Kafka topic in OutboxMessage.to(...).");
        }
        if (topic.length() > TopicName.MAX_LENGTH) {
            throw new InvalidOutboxMessageException(
                    "The topic has " + topic.length() + " characters; Kafka allows " + TopicName.MAX_LENGTH + ".");
        }
        if (!TopicName.isLegal(topic)) {
            throw new InvalidOutboxMessageException("The topic '" + storable("topic", topic)
                    + "' can be no Kafka topic: use letters, digits, '.', '_' and '-', and not just one or two dots.");
        }
        return topic;
    }

    private String json(OutboxMessage message, Object payload) {
        String json = message.isJson() ? (String) payload : serialize(payload);
        if (!JsonSyntax.isValid(json)) {
            throw new InvalidOutboxMessageException(
                    message.isJson()
                            ? "The text given to json(...) is no JSON. Use payload(...) for other text."
                            : "The PayloadSerializer returned text that is no JSON for a "
                                    + payload.getClass().getName() + ".");
        }
        return wellFormed("payload", json);
    }

    private String serialize(Object payload) {
        String json;
        try {
            json = serializer.toJson(payload);
        } catch (InvalidOutboxMessageException e) {
            throw e;
        } catch (RuntimeException e) {
            // The cause may quote the payload, but it is the caller's own and goes to the caller only.
            throw new InvalidOutboxMessageException(
                    "The payload, a " + payload.getClass().getName() + ", cannot be serialized to JSON.", e);
        }
        if (json == null) {
            throw new InvalidOutboxMessageException("The PayloadSerializer returned null for a "
                    + payload.getClass().getName() + ".");
        }
        return json;
    }

    private int size(OutboxMessage message, int payload) {
        long key = MessageSize.ofKey(message.key());
        long headers = MessageSize.ofHeaders(message);
        long size = payload + key + headers;
        if (size > maxMessageBytes) {
            throw new InvalidOutboxMessageException("The message has " + size + " bytes (payload " + payload + ", key "
                    + key + ", headers " + headers + "); outbox.writer.max-message-size allows " + maxMessageBytes
                    + ". Store the data elsewhere and send a reference, or raise the property together with Kafka's"
                    + " max.request.size and max.message.bytes.");
        }
        return (int) size;
    }

    private static @Nullable String headers(List<Header> headers) {
        for (Header header : headers) {
            String name = header.name();
            if (name.isEmpty()) {
                throw new InvalidOutboxMessageException("A header has an empty name.");
            }
            storable("header name", name);
            if (OutboxHeaders.RESERVED.contains(name)) {
                throw new InvalidOutboxMessageException(
                        "The header name '" + name + "' is reserved for the outbox. Choose another one.");
            }
            if (header.value() instanceof String value) {
                storable("header '" + name + "'", value);
            }
        }
        return HeadersJson.write(headers);
    }

    private static @Nullable String text(String field, @Nullable String value) {
        return value == null ? null : storable(field, value);
    }

    /** PostgreSQL stores any text but the NUL character. */
    private static String storable(String field, String value) {
        if (value.indexOf('\0') >= 0) {
            throw new InvalidOutboxMessageException(
                    "The " + field + " contains a NUL character, which PostgreSQL cannot store. Remove it.");
        }
        return wellFormed(field, value);
    }

    private static String wellFormed(String field, String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                if (Character.charCount(value.codePointAt(i)) == 1) {
                    throw new InvalidOutboxMessageException(
                            "The " + field + " contains half of a surrogate pair, which has"
                                    + " no UTF-8 form. Send it as bytes if it is no text.");
                }
                i++;
            }
        }
        return value;
    }
}
