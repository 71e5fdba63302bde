package dev.outbox.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The condition that leaves out what is held back, for statements that look at pending messages as {@code m}. */
final class HeldFilter {

    static final String SQL = """
            AND m.topic <> ALL (?::text[])
            AND (m.key IS NULL OR length(m.topic) || ':' || m.topic || m.key <> ALL (?::text[]))
            AND m.id <> ALL (?::bigint[])
            """;

    private HeldFilter() {}

    /** Binds the condition's parameters, if there is anything to leave out; returns the index of the next one. */
    static int bind(Connection connection, PreparedStatement statement, int index, Exclusions held)
            throws SQLException {
        if (held.isEmpty()) {
            return index;
        }
        statement.setArray(index, connection.createArrayOf("text", held.topicNames()));
        statement.setArray(index + 1, connection.createArrayOf("text", held.keyNames()));
        statement.setArray(index + 2, connection.createArrayOf("bigint", held.idsWithoutKey()));
        return index + 3;
    }
}
