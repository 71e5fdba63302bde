package dev.outbox.relay;

import dev.outbox.schema.OutboxDatabase;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The relay's SQL. Each method is one statement, in the transaction of the given connection. */
final class OutboxStore {

    /** Number of lanes, as the migration made them. */
    static final int LANES = 64;

    /**
     * The isolation is set inside the transaction, where it holds for this one whatever is the default, and also
     * when a pooler gives each transaction another session. The time limit has the database end the session of a
     * host that vanished in mid-batch. With statistics of a backlog, a bitmap scan of a whole lane and a sort look
     * cheaper to the planner than the head of the index, and are not: 87 ms instead of 1 for 200,000 messages of a key.
     * The lock timeout is for rows that another session holds: all claimed lanes would wait with them.
     */
    private static final String BEGIN = """
            SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;
            SET LOCAL idle_in_transaction_session_timeout = %d;
            SET LOCAL enable_bitmapscan = off;
            SET LOCAL lock_timeout = 2000
            """;

    /**
     * One probe of the pending index for each lane. As a scalar subquery, which the planner leaves alone: EXISTS can
     * become a join with all pending rows. The lane as BETWEEN, so that the index on (lane, id) is the only one that
     * gives the order.
     */
    private static final String CLAIM = """
            SELECT lane.lane
            FROM {schema}outbox_lane lane
            WHERE (SELECT true
                   FROM {schema}outbox_message m
                   WHERE m.lane BETWEEN lane.lane AND lane.lane AND m.id > (?::bigint[])[lane.lane + 1]
                     AND m.published_at IS NULL AND m.dead_at IS NULL AND m.blocked_by IS NULL {held}
                   ORDER BY m.lane, m.id
                   LIMIT 1)
            ORDER BY (lane.lane - ?) & 63
            LIMIT ?
            FOR UPDATE OF lane SKIP LOCKED
            """;

    /**
     * The oldest rows of each claimed lane, and of those the oldest as far as the bytes go; each together with the dead
     * letter that blocks its key, if any. As long as no dead letter blocks its key, that costs one look for all rows. Id
     * and times come as bytes: the driver's conversions of their types cost as much as all other columns together.
     */
    private static final String READ = """
            SELECT id, uuid_send(message_id), topic, key, aggregate_type, aggregate_id, event_type, content_type, payload, \
            payload_bytes, headers, timestamptz_send(created_at), attempts, wait_ms, lane, \
            timestamptz_send(retried_at), blocker
            FROM (SELECT due.*, sum(due.message_size) OVER (ORDER BY due.id) - due.message_size AS bytes_before
                  FROM unnest(?::smallint[]) AS claimed (lane)
                  CROSS JOIN LATERAL (
                      SELECT m.id, m.lane, m.message_id, m.topic, m.key, m.aggregate_type, m.aggregate_id, m.event_type, \
            m.content_type, m.payload, m.payload_bytes, m.message_size, m.created_at, m.attempts, \
            m.retried_at,
                             CASE WHEN m.headers <> '{}' THEN m.headers::text END AS headers,
                             CASE WHEN m.next_attempt_at IS NOT NULL THEN \
            ceil(extract(epoch FROM LEAST(GREATEST(m.next_attempt_at, statement_timestamp()), \
            statement_timestamp() + interval '1 day') - statement_timestamp()) * 1000)::bigint END AS wait_ms,
                             CASE WHEN (SELECT true
                                        FROM {schema}outbox_message b
                                        WHERE b.blocked_by IS NOT NULL AND b.dead_at IS NOT NULL
                                        ORDER BY {hash of b}
                                        LIMIT 1)
                             THEN (SELECT b.id
                                   FROM {schema}outbox_message b
                                   WHERE b.blocked_by IS NOT NULL AND b.dead_at IS NOT NULL
                                     AND {hash of b} BETWEEN {hash of m} AND {hash of m}
                                     AND b.key = m.key AND b.topic = m.topic
                                   ORDER BY {hash of b}
                                   LIMIT 1) END AS blocker
                      FROM {schema}outbox_message m
                      WHERE m.lane BETWEEN claimed.lane AND claimed.lane AND m.id > (?::bigint[])[claimed.lane + 1]
                        AND m.published_at IS NULL AND m.dead_at IS NULL AND m.blocked_by IS NULL {held}
                      ORDER BY m.lane, m.id
                      LIMIT ?) due) batch
            WHERE bytes_before < ?
            ORDER BY id
            """;

    /** As the index on blocking dead letters has it. */
    private static final String HASH =
            "hashtextextended(%1$s.key COLLATE \"C\", hashtextextended(%1$s.topic COLLATE \"C\", 0))";

    private static final String MARK_PUBLISHED = """
            UPDATE {schema}outbox_message
            SET published_at = statement_timestamp(), next_attempt_at = NULL, last_error = NULL
            WHERE id = ANY (?)
            """;

    /** For when someone else holds one of the rows, by hand or by mistake: it stays pending, and the others are done. */
    private static final String MARK_PUBLISHED_UNLESS_LOCKED = """
            UPDATE {schema}outbox_message
            SET published_at = statement_timestamp(), next_attempt_at = NULL, last_error = NULL
            WHERE id IN (SELECT id FROM {schema}outbox_message WHERE id = ANY (?) FOR NO KEY UPDATE SKIP LOCKED)
            RETURNING id
            """;

    private static final String MARK_FAILED = """
            UPDATE {schema}outbox_message
            SET attempts = LEAST(attempts, 2147483646) + 1,
                next_attempt_at = statement_timestamp() + ? * interval '1 millisecond',
                last_error = ?
            WHERE id = ?
            """;

    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    private final String begin;
    private final String claim;
    private final String claimUnlessHeld;
    private final String read;
    private final String readUnlessHeld;
    private final String markPublished;
    private final String markPublishedUnlessLocked;
    private final String markFailed;

    OutboxStore(OutboxDatabase database, Duration transactionTimeout) {
        begin = BEGIN.formatted(transactionTimeout.toMillis());
        claim = database.sql(CLAIM.replace("{held}", ""));
        claimUnlessHeld = database.sql(CLAIM.replace("{held}", HeldFilter.SQL));
        String readAny = READ.replace("{hash of b}", HASH.formatted("b")).replace("{hash of m}", HASH.formatted("m"));
        read = database.sql(readAny.replace("{held}", ""));
        readUnlessHeld = database.sql(readAny.replace("{held}", HeldFilter.SQL));
        markPublished = database.sql(MARK_PUBLISHED);
        markPublishedUnlessLocked = database.sql(MARK_PUBLISHED_UNLESS_LOCKED);
        markFailed = database.sql(MARK_FAILED);
    }

    void begin(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(begin);
        }
    }

    /**
     * Locks lanes that have something to publish, from the given one on, and those only that no one else holds.
     *
     * @param marks for each lane the id after which to look
     */
    List<Short> claim(Connection connection, int firstLane, int limit, Exclusions held, Long[] marks)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(held.isEmpty() ? claim : claimUnlessHeld)) {
            statement.setArray(1, connection.createArrayOf("bigint", marks));
            int next = HeldFilter.bind(connection, statement, 2, held);
            statement.setInt(next, firstLane);
            statement.setInt(next + 1, limit);
            List<Short> lanes = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lanes.add(rows.getShort(1));
                }
            }
            return lanes;
        }
    }

    /**
     * Reads the oldest pending messages of the lanes, in the order of their ids. A statement of its own: its
     * snapshot comes after the claim, and so has all that the holder before marked.
     */
    List<PendingMessage> read(Connection connection, List<Short> lanes, Limits limits, Exclusions held, Long[] marks)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(held.isEmpty() ? read : readUnlessHeld)) {
            statement.setArray(1, connection.createArrayOf("smallint", lanes.toArray(new Short[0])));
            statement.setArray(2, connection.createArrayOf("bigint", marks));
            int next = HeldFilter.bind(connection, statement, 3, held);
            statement.setInt(next, limits.rowsPerLane());
            statement.setLong(next + 1, limits.bytes());
            List<PendingMessage> messages = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    messages.add(message(rows));
                }
            }
            return messages;
        }
    }

    /** Bounds of what is read. */
    record Limits(int rowsPerLane, long bytes) {}

    void markPublished(Connection connection, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(markPublished)) {
            statement.setArray(1, connection.createArrayOf("bigint", ids.toArray(new Long[0])));
            statement.executeUpdate();
        }
    }

    /** Marks those rows that nobody has locked, and returns their ids. */
    Set<Long> markPublishedUnlessLocked(Connection connection, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(markPublishedUnlessLocked)) {
            statement.setArray(1, connection.createArrayOf("bigint", ids.toArray(new Long[0])));
            Set<Long> marked = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    marked.add(rows.getLong(1));
                }
            }
            return marked;
        }
    }

    void markFailed(Connection connection, List<FailedAttempt> failures) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(markFailed)) {
            for (FailedAttempt failure : failures) {
                statement.setLong(1, Objects.requireNonNull(failure.delay()).toMillis());
                statement.setString(2, failure.failure().error());
                statement.setLong(3, failure.message().id());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static PendingMessage message(ResultSet row) throws SQLException {
        byte @Nullable [] json = row.getBytes(9);
        byte @Nullable [] retriedAt = row.getBytes(16);
        long blocker = row.getLong(17);
        boolean blocked = !row.wasNull();
        return new PendingMessage(
                row.getLong(1),
                row.getInt(15),
                uuid(row.getBytes(2)),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getString(8),
                json != null,
                json != null ? json : row.getBytes(10),
                row.getString(11),
                instant(row.getBytes(12)),
                row.getInt(13),
                Duration.ofMillis(row.getLong(14)),
                retriedAt == null ? null : instant(retriedAt),
                blocked ? blocker : null);
    }

    private static UUID uuid(byte[] sent) {
        ByteBuffer bytes = ByteBuffer.wrap(sent);
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    /** PostgreSQL counts microseconds from the year 2000 on, and keeps the ends of the range for the infinities. */
    private static Instant instant(byte[] sent) {
        long micros = ByteBuffer.wrap(sent).getLong();
        if (micros == Long.MAX_VALUE) {
            return Instant.MAX;
        }
        return micros == Long.MIN_VALUE ? Instant.MIN : EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
