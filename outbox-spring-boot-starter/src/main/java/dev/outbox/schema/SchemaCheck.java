package dev.outbox.schema;

import dev.outbox.schema.ExpectedSchema.Relation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Asks the database whether all that the outbox uses is there, and may be used. */
final class SchemaCheck {

    /**
     * Finds each table as the outbox's statements do: by its qualified name, or along the search path. An index that is
     * not valid is no index: its concurrent creation has failed.
     */
    private static final String PRESENT = """
            WITH needed AS (SELECT name, to_regclass(? || name) AS oid FROM unnest(string_to_array(?, ',')) AS names (name))
            SELECT 'relation ' || name FROM needed WHERE oid IS NOT NULL
            UNION ALL
            SELECT 'column ' || name || '.' || attname
            FROM needed JOIN pg_attribute ON attrelid = needed.oid
            WHERE attnum > 0 AND NOT attisdropped
            UNION ALL
            SELECT 'index ' || relname
            FROM needed JOIN pg_index ON indrelid = needed.oid JOIN pg_class ON pg_class.oid = indexrelid
            WHERE indisvalid
            """;

    /** Rights on single columns count: what the relay changes are few. */
    private static final String LACKING_RIGHTS = """
            SELECT action || ' ON ' || name
            FROM (VALUES ('outbox_message', 'SELECT'), ('outbox_message', 'UPDATE'),
                         ('outbox_lane', 'SELECT'), ('outbox_lane', 'UPDATE')) AS needed (name, action)
            WHERE NOT has_any_column_privilege(to_regclass(? || name), action)
            """;

    private static final String READ_LANES = "SELECT ON outbox_lane";

    /** Without its row a lane is never claimed, and its messages would wait for ever. */
    private static final String MISSING_LANES = """
            SELECT count(*) FROM generate_series(0, 63) needed
            WHERE NOT EXISTS (SELECT FROM {schema}outbox_lane lane WHERE lane.lane = needed)
            """;

    private final OutboxDatabase database;
    private final boolean relay;
    private final JdbcTemplate jdbc;

    /**
     * Checks the tables of the outbox.
     *
     * @param relay whether this process publishes, and so needs the rights for it
     */
    SchemaCheck(OutboxDatabase database, boolean relay) {
        this.database = database;
        this.relay = relay;
        this.jdbc = new JdbcTemplate(database.dataSource());
    }

    void run() {
        try {
            requireTables();
            requireRightsAndLanes();
        } catch (DataAccessException e) {
            throw SchemaFailures.notReadable(e);
        }
    }

    private void requireTables() {
        Set<String> present = new HashSet<>(jdbc.queryForList(
                PRESENT,
                String.class,
                database.sql("{schema}"),
                ExpectedSchema.RELATIONS.stream().map(Relation::name).collect(Collectors.joining(","))));
        List<String> missing = new ArrayList<>();
        for (Relation relation : ExpectedSchema.RELATIONS) {
            if (present.contains("relation " + relation.name())) {
                relation.columns().forEach(column -> missing.add("column " + relation.name() + "." + column));
                relation.indexes().forEach(index -> missing.add("index " + index));
            } else {
                missing.add(relation.kind() + " " + relation.name());
            }
        }
        missing.removeAll(present);
        if (!missing.isEmpty()) {
            throw missing(String.join(", ", missing));
        }
    }

    private void requireRightsAndLanes() {
        List<String> lacking = jdbc.queryForList(LACKING_RIGHTS, String.class, database.sql("{schema}"));
        if (relay && !lacking.isEmpty()) {
            String user = jdbc.queryForObject("SELECT current_user", String.class);
            throw new OutboxSchemaException(
                    "The database user " + user + " lacks rights that the relay needs: " + String.join(", ", lacking)
                            + ".",
                    "GRANT them to " + user + " as the owner of the tables. If another process publishes the messages,"
                            + " set outbox.relay.enabled=false.",
                    null);
        }
        Integer lanes = lacking.contains(READ_LANES)
                ? Integer.valueOf(0)
                : jdbc.queryForObject(database.sql(MISSING_LANES), Integer.class);
        if (lanes != null && lanes > 0) {
            throw missing(lanes + " of the 64 rows of table outbox_lane (lane 0 to 63)");
        }
    }

    private OutboxSchemaException missing(String what) {
        String where = database.schema() == null ? "along the search path" : "in schema " + database.schema();
        return new OutboxSchemaException(
                "The outbox misses " + what + ", which it looks for " + where + ".",
                "To have its tables created, have Flyway on the class path and outbox.flyway.enabled=true. To create"
                        + " them yourself, run the migrations: " + SchemaFailures.SQL_LOCATION
                        + ", a Liquibase changelog"
                        + " in dev/outbox/schema/liquibase. To start without the outbox, set outbox.enabled=false.",
                null);
    }
}
