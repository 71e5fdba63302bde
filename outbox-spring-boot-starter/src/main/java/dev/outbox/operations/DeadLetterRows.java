package dev.outbox.operations;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetterFilter;
import dev.outbox.MessageDescription;
import dev.outbox.schema.OutboxDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The SQL of operators. Each method is one statement, in the transaction of the given connection. */
final class DeadLetterRows {

    /** Nobody has decided about it yet. */
    private static final String UNDECIDED = "dead_at IS NOT NULL AND discarded_at IS NULL AND published_at IS NULL";

    private static final String SELECT = """
            SELECT id, message_id, topic, key, aggregate_type, aggregate_id, event_type, created_at, attempts, last_error, \
            dead_at, blocked_by IS NOT NULL
            FROM {schema}outbox_message
            WHERE {undecided}
            """;

    private static final String OLDEST_FIRST = """
            ORDER BY dead_at, id
            LIMIT ?
            """;

    /** In one order, so that two operators wait for each other and do not meet crosswise. */
    private static final String ENTER_LANES = """
            SELECT lane
            FROM {schema}outbox_lane
            WHERE lane IN (SELECT m.lane FROM {schema}outbox_message m WHERE m.id = ANY (?))
            ORDER BY lane
            FOR UPDATE
            """;

    private static final String COUNT = "UPDATE {schema}outbox_lane SET decisions = decisions + 1 WHERE lane = ANY (?)";

    private static final String RETRY = """
            UPDATE {schema}outbox_message
            SET dead_at = NULL, attempts = 0, next_attempt_at = NULL, unfinished_sends = NULL,
                retried_at = CASE WHEN blocked_by IS NULL THEN statement_timestamp() ELSE retried_at END,
                blocked_by = NULL
            WHERE id = ANY (?) AND {undecided}
            RETURNING id
            """;

    private static final String DISCARD = """
            UPDATE {schema}outbox_message SET discarded_at = statement_timestamp(), blocked_by = NULL
            WHERE id = ANY (?) AND {undecided}
            RETURNING id
            """;

    private static final String FREE = """
            UPDATE {schema}outbox_message SET blocked_by = NULL WHERE blocked_by = ANY (?) AND dead_at IS NULL
            """;

    private static final String NOW = "SELECT clock_timestamp()";

    private final String select;
    private final String enterLanes;
    private final String count;
    private final String retry;
    private final String discard;
    private final String free;

    DeadLetterRows(OutboxDatabase database) {
        select = database.sql(SELECT.replace("{undecided}", UNDECIDED));
        enterLanes = database.sql(ENTER_LANES);
        count = database.sql(COUNT);
        retry = database.sql(RETRY.replace("{undecided}", UNDECIDED));
        discard = database.sql(DISCARD.replace("{undecided}", UNDECIDED));
        free = database.sql(FREE);
    }

    /** Finds some, oldest first. */
    List<DeadLetter> find(Connection connection, DeadLetterFilter filter, @Nullable Position after, int limit)
            throws SQLException {
        StringBuilder sql = new StringBuilder(select);
        List<Object> parameters = new ArrayList<>();
        if (after != null) {
            sql.append("AND (dead_at, id) > (?, ?)\n");
            parameters.add(time(after.deadAt()));
            parameters.add(after.id());
        }
        add(sql, parameters, "topic = ?", filter.topic());
        add(sql, parameters, "event_type = ?", filter.eventType());
        add(sql, parameters, "dead_at >= ?", time(filter.deadFrom()));
        add(sql, parameters, "dead_at < ?", time(filter.deadBefore()));
        parameters.add(limit);
        try (PreparedStatement statement =
                connection.prepareStatement(sql.append(OLDEST_FIRST).toString())) {
            for (int i = 0; i < parameters.size(); i++) {
                statement.setObject(i + 1, parameters.get(i));
            }
            return letters(statement);
        }
    }

    private static void add(StringBuilder sql, List<Object> parameters, String condition, @Nullable Object parameter) {
        if (parameter != null) {
            sql.append("AND ").append(condition).append('\n');
            parameters.add(parameter);
        }
    }

    /** Finds one, or none. */
    List<DeadLetter> find(Connection connection, UUID messageId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select + "AND message_id = ?")) {
            statement.setObject(1, messageId);
            return letters(statement);
        }
    }

    /**
     * Locks the lanes of these messages, as a relay does for its batch: until the transaction ends, no relay reads them,
     * and no other operator decides. The relays see by the count that messages may have come back which are older than
     * those that they have seen last.
     */
    void enterLanes(Connection connection, List<Long> ids) throws SQLException {
        List<Long> lanes = numbers(connection, enterLanes, ids);
        try (PreparedStatement statement = connection.prepareStatement(count)) {
            statement.setArray(1, connection.createArrayOf("smallint", lanes.toArray()));
            statement.executeUpdate();
        }
    }

    /** Returns the ids of those that were dead letters still. */
    List<Long> retry(Connection connection, List<Long> ids) throws SQLException {
        return numbers(connection, retry, ids);
    }

    /** Returns the ids of those that were dead letters still. */
    List<Long> discard(Connection connection, List<Long> ids) throws SQLException {
        return numbers(connection, discard, ids);
    }

    /** Frees what waits behind the dead letters. */
    void free(Connection connection, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(free)) {
            statement.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
            statement.executeUpdate();
        }
    }

    /** The database's time. */
    Instant now(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NOW);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    private static List<Long> numbers(Connection connection, String sql, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
            List<Long> numbers = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    numbers.add(rows.getLong(1));
                }
            }
            return numbers;
        }
    }

    private static List<DeadLetter> letters(PreparedStatement statement) throws SQLException {
        List<DeadLetter> letters = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                letters.add(new DeadLetter(
                        new MessageDescription(
                                row.getObject(2, UUID.class),
                                row.getLong(1),
                                row.getString(3),
                                row.getString(4),
                                row.getString(5),
                                row.getString(6),
                                row.getString(7),
                                row.getObject(8, OffsetDateTime.class).toInstant()),
                        row.getInt(9),
                        row.getString(10),
                        row.getObject(11, OffsetDateTime.class).toInstant(),
                        row.getBoolean(12)));
            }
        }
        return letters;
    }

    private static @Nullable OffsetDateTime time(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }
}
