package dev.outbox.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Asks the database whether each table and column that the outbox uses is there. */
final class SchemaCheck {

    /** Finds the table as the outbox's statements do: by its qualified name, or along the search path. */
    private static final String COLUMNS = """
            SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped
            """;

    /** Without its row a lane is never claimed, and its messages would wait for ever. */
    private static final String MISSING_LANES = """
            SELECT count(*) FROM generate_series(0, 63) needed
            WHERE NOT EXISTS (SELECT FROM {schema}outbox_lane lane WHERE lane.lane = needed)
            """;

    private static final String SQL_LOCATION = "the SQL is in the starter's jar, dev/outbox/schema/migrations";

    private static final Map<String, List<String>> EXPECTED = new TreeMap<>(Map.of(
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
            "outbox_lane",
            List.of("lane", "decisions"),
            "outbox_relay",
            List.of("instance", "started_at", "seen_at", "stopped_at"),
            "processed_event",
            List.of("consumer", "event_id", "processed_at")));

    private final OutboxDatabase database;

    SchemaCheck(OutboxDatabase database) {
        this.database = database;
    }

    void run() {
        List<String> missing = new ArrayList<>();
        EXPECTED.forEach((table, columns) -> {
            Set<String> present = columns(table);
            if (present.isEmpty()) {
                missing.add("table " + table);
            } else {
                columns.stream()
                        .filter(column -> !present.contains(column))
                        .forEach(column -> missing.add("column " + table + "." + column));
            }
        });
        int lanes = missing.isEmpty() ? missingLanes() : 0;
        if (lanes > 0) {
            missing.add(lanes + " of the 64 rows of table outbox_lane (lane 0 to 63)");
        }
        if (!missing.isEmpty()) {
            throw new OutboxSchemaException(
                    "The outbox misses " + String.join(", ", missing) + " in "
                            + (database.schema() == null ? "the search path" : "schema " + database.schema())
                            + ". Have Flyway on the class path and outbox.flyway.enabled=true to have them created, or run"
                            + " the migrations yourself: " + SQL_LOCATION + ".",
                    null);
        }
    }

    private int missingLanes() {
        Integer count =
                new JdbcTemplate(database.dataSource()).queryForObject(database.sql(MISSING_LANES), Integer.class);
        return count == null ? 0 : count;
    }

    private Set<String> columns(String table) {
        try {
            return new HashSet<>(new JdbcTemplate(database.dataSource())
                    .queryForList(COLUMNS, String.class, database.sql("{schema}" + table)));
        } catch (DataAccessException e) {
            throw new OutboxSchemaException("The outbox cannot read which tables the database has.", e);
        }
    }
}
