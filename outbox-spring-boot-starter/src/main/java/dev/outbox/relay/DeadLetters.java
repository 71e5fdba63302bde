package dev.outbox.relay;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.outbox.schema.OutboxDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The relay's SQL about dead letters: gives messages up, and puts aside what has to wait behind one that blocks its key.
 */
final class DeadLetters {

    private static final String GIVE_UP = """
            UPDATE {schema}outbox_message
            SET attempts = ?, last_error = ?, dead_at = statement_timestamp(), next_attempt_at = NULL,
                unfinished_sends = NULL, blocked_by = CASE WHEN ? AND key IS NOT NULL THEN id END
            WHERE id = ?
            """;

    private static final String PUT_ASIDE = """
            UPDATE {schema}outbox_message
            SET blocked_by = ?
            WHERE id IN (SELECT id FROM {schema}outbox_message
                         WHERE id = ANY (?) AND published_at IS NULL
                         FOR NO KEY UPDATE SKIP LOCKED)
            """;

    private final String giveUp;
    private final String putAside;

    DeadLetters(OutboxDatabase database) {
        giveUp = database.sql(GIVE_UP);
        putAside = database.sql(PUT_ASIDE);
    }

    /**
     * Makes dead letters.
     *
     * @param block whether their keys have to wait
     */
    void giveUp(Connection connection, List<FailedAttempt> failures, boolean block) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(giveUp)) {
            for (FailedAttempt failure : failures) {
                statement.setInt(1, failure.failure().attempts());
                statement.setString(2, failure.failure().error());
                statement.setBoolean(3, block);
                statement.setLong(4, failure.message().id());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /**
     * Takes messages out of what is pending, until an operator decides about the dead letter before them: from now on
     * they cost the others nothing. An operator locks the lane to decide, so nothing is put behind a dead letter that
     * was decided about.
     *
     * @param blocked messages that were read together with the dead letter that blocks them, in lanes that are held still
     * @return a message of each key of which some are left, because somebody has locked their rows
     */
    List<PendingMessage> putAside(Connection connection, List<PendingMessage> blocked) throws SQLException {
        Map<Long, List<PendingMessage>> behind =
                blocked.stream().collect(groupingBy(PendingMessage::blockedBy, TreeMap::new, toList()));
        List<PendingMessage> left = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(putAside)) {
            for (Map.Entry<Long, List<PendingMessage>> entry : behind.entrySet()) {
                List<PendingMessage> messages = entry.getValue();
                if (putAside(statement, entry.getKey(), messages) < messages.size()) {
                    left.add(messages.get(0));
                }
            }
        }
        return left;
    }

    private static int putAside(PreparedStatement statement, long deadLetter, List<PendingMessage> messages)
            throws SQLException {
        Object[] ids = messages.stream().map(PendingMessage::id).toArray();
        statement.setLong(1, deadLetter);
        statement.setArray(2, statement.getConnection().createArrayOf("bigint", ids));
        return statement.executeUpdate();
    }
}
