package dev.outbox;

import java.util.Set;

/**
 * Names of the Kafka headers that the relay puts on each record, before the caller's own. All values
 * are UTF-8 text. The names are reserved: the writer refuses a caller's header that has one of them.
 */
public final class OutboxHeaders {

    /** The message id, a UUID: the same for every repeat of a message, different for any two messages. */
    public static final String EVENT_ID = "event_id";

    /** What happened, where the writer said so. */
    public static final String EVENT_TYPE = "event_type";

    /** The kind of the aggregate, where the writer said so. */
    public static final String AGGREGATE_TYPE = "aggregate_type";

    /** The id of the aggregate, where the writer said so. */
    public static final String AGGREGATE_ID = "aggregate_id";

    /** When the message was written, by the database's clock: ISO-8601 in UTC. */
    public static final String EVENT_TIME = "event_time";

    /** The id of the row: grows within a key, except between transactions that wrote it at the same time. */
    public static final String OUTBOX_SEQUENCE = "outbox_sequence";

    /** The media type of the value; a tombstone has none. */
    public static final String CONTENT_TYPE = "content_type";

    /**
     * When an operator retried a dead letter that had not blocked its key, by the database's clock: ISO-8601 in UTC.
     * Later messages of the key may have come before it. On no other message.
     */
    public static final String OUTBOX_RETRIED = "outbox_retried";

    /** All of them. */
    public static final Set<String> RESERVED = Set.of(
            EVENT_ID,
            EVENT_TYPE,
            AGGREGATE_TYPE,
            AGGREGATE_ID,
            EVENT_TIME,
            OUTBOX_SEQUENCE,
            CONTENT_TYPE,
            OUTBOX_RETRIED);

    private OutboxHeaders() {}
}
