package dev.outbox.schema;

import java.util.List;

/** What the newest migration leaves behind: tables, views, columns and indexes by their names. */
final class ExpectedSchema {

    static final List<Relation> RELATIONS = List.of(
            new Relation(
                    "table",
                    "outbox_message",
                    List.of(
                            "id",
                            "message_id",
                            "topic",
                            "key",
                            "aggregate_type",
                            "aggregate_id",
                            "event_type",
                            "content_type",
                            "payload",
                            "payload_bytes",
                            "headers",
                            "created_at",
                            "published_at",
                            "attempts",
                            "next_attempt_at",
                            "last_error",
                            "dead_at",
                            "retried_at",
                            "discarded_at",
                            "blocked_by",
                            "unfinished_sends",
                            "lane",
                            "message_size"),
                    List.of(
                            "outbox_message_pkey",
                            "outbox_message_message_id_key",
                            "outbox_message_pending",
                            "outbox_message_waiting",
                            "outbox_message_dead",
                            "outbox_message_blocking",
                            "outbox_message_blocked",
                            "outbox_message_published")),
            new Relation("table", "outbox_lane", List.of("lane", "decisions"), List.of("outbox_lane_pkey")),
            new Relation(
                    "table",
                    "outbox_relay",
                    List.of("instance", "started_at", "seen_at", "stopped_at"),
                    List.of("outbox_relay_pkey")),
            new Relation(
                    "view",
                    "outbox_dead_letters",
                    List.of(
                            "id",
                            "message_id",
                            "topic",
                            "key",
                            "aggregate_type",
                            "aggregate_id",
                            "event_type",
                            "created_at",
                            "attempts",
                            "last_error",
                            "dead_at",
                            "blocks_key"),
                    List.of()),
            new Relation(
                    "table",
                    "processed_event",
                    List.of("consumer", "event_id", "processed_at"),
                    List.of("processed_event_pkey")),
            new Relation(
                    "table",
                    "inbox_message",
                    List.of(
                            "id",
                            "consumer",
                            "event_id",
                            "topic",
                            "kafka_partition",
                            "kafka_offset",
                            "key",
                            "payload",
                            "headers",
                            "received_at",
                            "processed_at",
                            "attempts",
                            "next_attempt_at",
                            "last_error",
                            "dead_at"),
                    List.of("inbox_message_pkey", "inbox_message_event_key")));

    private ExpectedSchema() {}

    /**
     * A table or view.
     *
     * @param kind how messages speak of it
     */
    record Relation(String kind, String name, List<String> columns, List<String> indexes) {}
}
