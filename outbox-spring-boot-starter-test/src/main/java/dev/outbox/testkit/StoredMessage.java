package dev.outbox.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.test.json.JsonContent;

/**
 * A message as it stands in the outbox, at the time when it was read. Two are equal when they have the same
 * id, whatever became of the message in between.
 *
 * @param id the message id, which consumers receive as {@code event_id}
 * @param sequence the id of the row: the order of writing
 * @param topic the Kafka topic
 * @param key the Kafka key, or null for none
 * @param aggregateType the kind of what the message is about, or null
 * @param aggregateId the id of what the message is about, or null
 * @param type what happened, or null
 * @param contentType the media type of the payload, or null for a tombstone
 * @param payload the value as it goes to Kafka, or null for a tombstone
 * @param headers the writer's own headers, in their order
 * @param createdAt when it was written, by the database's clock
 * @param publishedAt when Kafka had acknowledged it, or null
 * @param attempts how often it could not be published
 * @param nextAttemptAt the time of the next attempt, after a failed one
 * @param lastError why the last attempt failed, or null
 * @param deadAt when it was given up, or null
 */
public record StoredMessage(
        UUID id,
        long sequence,
        String topic,
        @Nullable String key,
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        @Nullable String type,
        @Nullable String contentType,
        byte @Nullable [] payload,
        List<Header> headers,
        Instant createdAt,
        @Nullable Instant publishedAt,
        int attempts,
        @Nullable Instant nextAttemptAt,
        @Nullable String lastError,
        @Nullable Instant deadAt) {

    private static final int SHOWN_PAYLOAD = 500;

    /** What became of it. */
    public State state() {
        if (deadAt != null) {
            return State.DEAD;
        }
        return publishedAt != null ? State.PUBLISHED : State.PENDING;
    }

    /** The payload as text in UTF-8, or null for a tombstone. */
    public @Nullable String text() {
        return payload == null ? null : new String(payload, StandardCharsets.UTF_8);
    }

    /**
     * The payload as JSON to assert on: {@code assertThat(message.json()).extractingPath("$.amount")}. JsonPath
     * and JSONassert have to be on the class path, as {@code spring-boot-starter-test} brings them.
     *
     * @throws AssertionError if there is no payload
     */
    public JsonContent json() {
        String text = text();
        if (text == null) {
            throw new AssertionError("A tombstone has no JSON: " + this);
        }
        return new JsonContent(text);
    }

    /** The text of the last header of this name, in UTF-8, or null if there is none or it has no value. */
    public @Nullable String header(String name) {
        return headers.stream()
                .filter(header -> header.name().equals(name))
                .reduce((first, second) -> second)
                .map(Header::text)
                .orElse(null);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredMessage message && message.id.equals(id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /** One line for people: what happened to what, the topic and key, the state, the payload. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(Objects.requireNonNullElse(type, "message"));
        if (aggregateType != null) {
            line.append(' ').append(aggregateType).append('/').append(aggregateId);
        }
        line.append(" -> ").append(topic).append(" [").append(key).append("] ").append(state());
        if (attempts > 0) {
            line.append(" after ").append(attempts).append(attempts == 1 ? " attempt" : " attempts");
            line.append(" (").append(lastError).append(')');
        }
        return line.append(": ").append(shownPayload()).toString();
    }

    private String shownPayload() {
        String text = text();
        if (payload == null || text == null) {
            return "tombstone";
        }
        if (text.indexOf('\uFFFD') >= 0 || "application/octet-stream".equals(contentType)) {
            return payload.length + " bytes";
        }
        return text.length() <= SHOWN_PAYLOAD ? text : text.substring(0, SHOWN_PAYLOAD) + "...";
    }

    /** What became of a message. */
    public enum State {
        /** To be published, at once or after the wait for the next attempt. */
        PENDING,
        /** Kafka has acknowledged it. */
        PUBLISHED,
        /** Given up: it is not published any more. */
        DEAD
    }

    /**
     * A header as it goes to Kafka.
     *
     * @param name the header's name
     * @param value the bytes, or null for a header without a value
     */
    public record Header(String name, byte @Nullable [] value) {

        /** The value as text in UTF-8, or null. */
        public @Nullable String text() {
            return value == null ? null : new String(value, StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return name + "=" + text();
        }
    }
}
