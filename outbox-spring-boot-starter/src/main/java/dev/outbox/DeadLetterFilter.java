package dev.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Chooses dead letters. Each condition narrows the choice; begin with {@link #all()}.
 *
 * @param topic the topic, or null for any
 * @param eventType the event type, or null for any
 * @param deadFrom given up at this time or later, or null for any time
 * @param deadBefore given up before this time, or null for any time
 */
public record DeadLetterFilter(
        @Nullable String topic,
        @Nullable String eventType,
        @Nullable Instant deadFrom,
        @Nullable Instant deadBefore) {

    /** All dead letters. */
    public static DeadLetterFilter all() {
        return new DeadLetterFilter(null, null, null, null);
    }

    /** Those of a topic. */
    public DeadLetterFilter topic(String topic) {
        return new DeadLetterFilter(topic, eventType, deadFrom, deadBefore);
    }

    /** Those of an event type. */
    public DeadLetterFilter eventType(String eventType) {
        return new DeadLetterFilter(topic, eventType, deadFrom, deadBefore);
    }

    /** Those that were given up at this time, by the database's clock, or later. */
    public DeadLetterFilter deadFrom(Instant from) {
        return new DeadLetterFilter(topic, eventType, from, deadBefore);
    }

    /** Those that were given up before this time, by the database's clock. */
    public DeadLetterFilter deadBefore(Instant before) {
        return new DeadLetterFilter(topic, eventType, deadFrom, before);
    }
}
