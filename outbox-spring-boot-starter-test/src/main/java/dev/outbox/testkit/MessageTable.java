package dev.outbox.testkit;

import dev.outbox.headers.HeadersJson;
import dev.outbox.schema.OutboxDatabase;
import dev.outbox.testkit.StoredMessage.Header;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The table {@code outbox_message}, in the transaction of the calling thread. */
final class MessageTable {

    private static final String ALL = """
            SELECT message_id, id, topic, key, aggregate_type, aggregate_id, event_type, content_type,
                   payload, payload_bytes, headers::text, created_at, published_at, attempts, next_attempt_at, last_error,
                   dead_at
            FROM {schema}outbox_message
            ORDER BY id
            """;

    private static final String UNMARK = """
            UPDATE {schema}outbox_message SET published_at = NULL WHERE message_id = ? AND published_at IS NOT NULL
            """;

    private static final String CLEAR_MESSAGES = "DELETE FROM {schema}outbox_message";

    private static final String CLEAR_PROCESSED = "DELETE FROM {schema}processed_event";

    /** What the relay says of a payload that came without a content type. */
    private static final String JSON = "application/json";

    private static final String BINARY = "application/octet-stream";

    private final OutboxDatabase database;
    private final JdbcTemplate jdbc;

    MessageTable(OutboxDatabase database) {
        this.database = database;
        this.jdbc = new JdbcTemplate(database.dataSource());
    }

    List<StoredMessage> all() {
        return jdbc.query(database.sql(ALL), (row, number) -> message(row));
    }

    /** Takes the mark off, whether there was one. */
    boolean unmark(UUID id) {
        return inTransaction(() -> jdbc.update(database.sql(UNMARK), id)) == 1;
    }

    void clear() {
        inTransaction(() -> jdbc.update(database.sql(CLEAR_MESSAGES)) + jdbc.update(database.sql(CLEAR_PROCESSED)));
    }

    /** In the caller's, whatever manager it is of, or else in one of its own: the pool may not commit by itself. */
    private int inTransaction(Supplier<Integer> work) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            return work.get();
        }
        return new TransactionTemplate(new JdbcTransactionManager(database.dataSource())).execute(status -> work.get());
    }

    private static StoredMessage message(ResultSet row) throws SQLException {
        byte @Nullable [] json = row.getBytes(9);
        byte @Nullable [] payload = json != null ? json : row.getBytes(10);
        return new StoredMessage(
                row.getObject(1, UUID.class),
                row.getLong(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                payload == null ? null : Objects.requireNonNullElse(row.getString(8), json != null ? JSON : BINARY),
                payload,
                headers(row),
                row.getObject(12, OffsetDateTime.class).toInstant(),
                instant(row, 13),
                row.getInt(14),
                instant(row, 15),
                row.getString(16),
                instant(row, 17));
    }

    private static List<Header> headers(ResultSet row) throws SQLException {
        try {
            return HeadersJson.read(row.getString(11)).stream()
                    .map(header -> new Header(header.name(), header.value()))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "The message " + row.getString(1) + " in outbox_message has headers that the relay cannot read: "
                            + e.getMessage(),
                    e);
        }
    }

    private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
