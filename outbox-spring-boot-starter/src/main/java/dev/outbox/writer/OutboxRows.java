package dev.outbox.writer;

import dev.outbox.DuplicateMessageIdException;
import dev.outbox.schema.OutboxDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Inserts rows through the connection of the running transaction. */
final class OutboxRows {

    private static final String INSERT = """
            INSERT INTO {schema}outbox_message (message_id, topic, key, aggregate_type, aggregate_id, event_type, \
            content_type, payload, payload_bytes, headers)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?::json, ?, COALESCE(?::jsonb, '{}'))
            """;

    private static final String INSERT_ALL = """
            INSERT INTO {schema}outbox_message (message_id, topic, key, aggregate_type, aggregate_id, event_type, \
            content_type, payload, payload_bytes, headers)
            SELECT message_id, topic, key, aggregate_type, aggregate_id, event_type, content_type, payload::json, \
            payload_bytes, COALESCE(headers::jsonb, '{}')
            FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], \
            ?::bytea[], ?::text[]) WITH ORDINALITY AS message (message_id, topic, key, aggregate_type, aggregate_id, \
            event_type, content_type, payload, payload_bytes, headers, position)
            ORDER BY position
            """;

    /** For ids that callers brought: a repeat is then a row less, not an error that ends their transaction. */
    private static final String UNLESS_PRESENT = "ON CONFLICT (message_id) DO NOTHING";

    private static final String RETURNING = " RETURNING message_id";

    private static final int CHUNK_ROWS = 1000;
    private static final int CHUNK_BYTES = 4_000_000;

    private final String insert;
    private final String insertUnlessPresent;
    private final String insertAll;
    private final String insertAllUnlessPresent;

    OutboxRows(OutboxDatabase database) {
        this.insert = database.sql(INSERT);
        this.insertUnlessPresent = database.sql(INSERT + UNLESS_PRESENT);
        this.insertAll = database.sql(INSERT_ALL);
        this.insertAllUnlessPresent = database.sql(INSERT_ALL + UNLESS_PRESENT + RETURNING);
    }

    void insert(JdbcTemplate jdbc, MessageRow row) {
        int inserted = jdbc.update(row.callersId() ? insertUnlessPresent : insert, statement -> {
            statement.setObject(1, row.id());
            statement.setString(2, row.topic());
            statement.setString(3, row.key());
            statement.setString(4, row.aggregateType());
            statement.setString(5, row.aggregateId());
            statement.setString(6, row.eventType());
            statement.setString(7, row.contentType());
            statement.setString(8, row.json());
            statement.setBytes(9, row.bytes());
            statement.setString(10, row.headers());
        });
        if (inserted == 0) {
            throw new DuplicateMessageIdException(row.id());
        }
    }

    /** Inserts all rows or, when one of their ids is there already, none. */
    void insertAll(JdbcTemplate jdbc, List<MessageRow> rows) {
        jdbc.execute((Connection connection) -> {
            if (rows.stream().anyMatch(MessageRow::callersId)) {
                insertAllUnlessPresent(connection, rows);
            } else {
                for (List<MessageRow> chunk : chunks(rows)) {
                    try (PreparedStatement statement = connection.prepareStatement(insertAll)) {
                        bind(connection, statement, chunk);
                        statement.executeUpdate();
                    }
                }
            }
            return rows.size();
        });
    }

    private void insertAllUnlessPresent(Connection connection, List<MessageRow> rows) throws SQLException {
        Savepoint before = connection.setSavepoint();
        for (List<MessageRow> chunk : chunks(rows)) {
            UUID present = firstPresent(connection, chunk);
            if (present != null) {
                connection.rollback(before);
                throw new DuplicateMessageIdException(present);
            }
        }
        connection.releaseSavepoint(before);
    }

    private @Nullable UUID firstPresent(Connection connection, List<MessageRow> chunk) throws SQLException {
        Set<UUID> inserted = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(insertAllUnlessPresent)) {
            bind(connection, statement, chunk);
            try (ResultSet ids = statement.executeQuery()) {
                while (ids.next()) {
                    inserted.add(ids.getObject(1, UUID.class));
                }
            }
        }
        // An id given twice in one list is inserted once: the second one is a repeat too.
        return chunk.stream()
                .map(MessageRow::id)
                .filter(id -> !inserted.remove(id))
                .findFirst()
                .orElse(null);
    }

    private static void bind(Connection connection, PreparedStatement statement, List<MessageRow> rows)
            throws SQLException {
        array(connection, statement, 1, "uuid", rows, MessageRow::id);
        array(connection, statement, 2, "text", rows, MessageRow::topic);
        array(connection, statement, 3, "text", rows, MessageRow::key);
        array(connection, statement, 4, "text", rows, MessageRow::aggregateType);
        array(connection, statement, 5, "text", rows, MessageRow::aggregateId);
        array(connection, statement, 6, "text", rows, MessageRow::eventType);
        array(connection, statement, 7, "text", rows, MessageRow::contentType);
        array(connection, statement, 8, "text", rows, MessageRow::json);
        // An array of arrays: the driver takes no byte[] in an Object[].
        statement.setArray(
                9,
                connection.createArrayOf(
                        "bytea", rows.stream().map(MessageRow::bytes).toArray(byte[][]::new)));
        array(connection, statement, 10, "text", rows, MessageRow::headers);
    }

    private static void array(
            Connection connection,
            PreparedStatement statement,
            int index,
            String type,
            List<MessageRow> rows,
            Function<MessageRow, @Nullable Object> column)
            throws SQLException {
        statement.setArray(
                index, connection.createArrayOf(type, rows.stream().map(column).toArray()));
    }

    private static List<List<MessageRow>> chunks(List<MessageRow> rows) {
        List<List<MessageRow>> chunks = new ArrayList<>();
        int start = 0;
        int size = 0;
        for (int i = 0; i < rows.size(); i++) {
            int next = rows.get(i).size();
            if (i > start && (i - start == CHUNK_ROWS || size + next > CHUNK_BYTES)) {
                chunks.add(rows.subList(start, i));
                start = i;
                size = 0;
            }
            size += next;
        }
        chunks.add(rows.subList(start, rows.size()));
        return chunks;
    }
}
