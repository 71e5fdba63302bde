package dev.outbox.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Asks the database whether each table and column that the outbox uses is there. */
final class SchemaCheck {

    private static final String COLUMNS = """
            SELECT table_name, column_name
            FROM information_schema.columns
            WHERE table_schema = COALESCE(?, current_schema())
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
                    "lane",
                    "payload_size"),
            "outbox_lane",
            List.of("lane"),
            "processed_event",
            List.of("consumer", "event_id", "processed_at")));

    private final OutboxDatabase database;

    SchemaCheck(OutboxDatabase database) {
        this.database = database;
    }

    void run() {
        Map<String, Set<String>> present = present();
        List<String> missing = new ArrayList<>();
        EXPECTED.forEach((table, columns) -> {
            Set<String> found = present.get(table);
            if (found == null) {
                missing.add("table " + table);
            } else {
                columns.stream()
                        .filter(column -> !found.contains(column))
                        .forEach(column -> missing.add("column " + table + "." + column));
            }
        });
        if (!missing.isEmpty()) {
            throw new OutboxSchemaException(
                    "The outbox misses " + String.join(", ", missing) + " in "
                            + (database.schema() == null
                                    ? "the first schema of the search path"
                                    : "schema " + database.schema())
                            + ". Have Flyway on the class path and outbox.flyway.enabled=true to have them created, or run"
                            + " the migrations yourself: " + SQL_LOCATION + ".",
                    null);
        }
    }

    private Map<String, Set<String>> present() {
        Map<String, Set<String>> tables = new TreeMap<>();
        @Nullable String schema = database.schema();
        try {
            new JdbcTemplate(database.dataSource())
                    .query(
                            COLUMNS,
                            row -> {
                                tables.computeIfAbsent(row.getString(1), table -> new HashSet<>())
                                        .add(row.getString(2));
                            },
                            schema);
        } catch (DataAccessException e) {
            throw new OutboxSchemaException("The outbox cannot read which tables the database has.", e);
        }
        return tables;
    }
}
