package dev.outbox.relay;

import dev.outbox.schema.OutboxDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the {@link LowWaterMarks} ask the database. Each method is one statement, with a snapshot of its own. */
final class LaneSurvey {

    private static final String HIGHEST_ID = "SELECT COALESCE(max(id), 0) FROM {schema}outbox_message";

    /** Each transaction that writes to the table holds a lock on it from before it takes an id until it has ended. */
    private static final String WRITERS = """
            SELECT DISTINCT virtualtransaction
            FROM pg_locks
            WHERE locktype = 'relation'
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
              AND relation = '{schema}outbox_message'::regclass
              AND mode <> 'AccessShareLock'
              AND granted
              AND pid IS DISTINCT FROM pg_backend_pid()
            """;

    private static final String FIRST_OF_LANES = """
            SELECT lane.lane,
                   (SELECT m.id
                    FROM {schema}outbox_message m
                    WHERE m.lane BETWEEN lane.lane AND lane.lane AND m.id > (?::bigint[])[lane.lane + 1]
                      AND m.published_at IS NULL AND m.dead_at IS NULL AND m.blocked_by IS NULL {held}
                    ORDER BY m.lane, m.id
                    LIMIT 1)
            FROM {schema}outbox_lane lane
            """;

    private static final String DECISIONS =
            "SELECT lane, decisions FROM {schema}outbox_lane WHERE lane BETWEEN 0 AND 63";

    private final String highestId;
    private final String writers;
    private final String firstOfLanes;
    private final String firstOfLanesUnlessHeld;
    private final String decisions;

    LaneSurvey(OutboxDatabase database) {
        highestId = database.sql(HIGHEST_ID);
        writers = database.sql(WRITERS);
        firstOfLanes = database.sql(FIRST_OF_LANES.replace("{held}", ""));
        decisions = database.sql(DECISIONS);
        firstOfLanesUnlessHeld = database.sql(FIRST_OF_LANES.replace("{held}", HeldFilter.SQL));
    }

    /** The highest id that is visible, or 0. */
    long highestId(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(highestId);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The other transactions that can write to the table now. */
    List<String> writers(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(writers);
                ResultSet rows = statement.executeQuery()) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    /** The first pending message after the mark of each lane that has one, without those held back. */
    Map<Integer, Long> firstOfLanes(Connection connection, Exclusions held, Long[] marks) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(held.isEmpty() ? firstOfLanes : firstOfLanesUnlessHeld)) {
            statement.setArray(1, connection.createArrayOf("bigint", marks));
            HeldFilter.bind(connection, statement, 2, held);
            Map<Integer, Long> firsts = new HashMap<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long first = rows.getLong(2);
                    if (!rows.wasNull()) {
                        firsts.put(rows.getInt(1), first);
                    }
                }
            }
            return firsts;
        }
    }

    /** How often operators have brought messages back, for each lane. */
    long[] decisions(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(decisions);
                ResultSet rows = statement.executeQuery()) {
            long[] counts = new long[OutboxStore.LANES];
            while (rows.next()) {
                counts[rows.getInt(1)] = rows.getLong(2);
            }
            return counts;
        }
    }
}
