package dev.outbox.soak;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the database has, as the judge wants it. */
final class Rows {

    /** The hash is the database's own, of what the relay is to send. */
    private static final String ALL = """
            SELECT id, message_id, topic, key,
                   sha256(coalesce(payload_bytes, convert_to(payload::text, 'UTF8'))) AS hash,
                   attempts,
                   CASE WHEN published_at IS NOT NULL THEN 'PUBLISHED'
                        WHEN dead_at IS NOT NULL THEN 'DEAD' ELSE 'PENDING' END AS state
            FROM outbox_message ORDER BY id
            """;

    private static final String COMMITTED = "SELECT number FROM soak_transaction";

    private static final String PENDING =
            "SELECT count(*) FROM outbox_message WHERE published_at IS NULL AND dead_at IS NULL";

    /** What has no reason to wait once all faults are over: not a poison message, and not behind one. */
    private static final String UNDELIVERED = """
            SELECT count(*) FROM outbox_message
            WHERE published_at IS NULL AND dead_at IS NULL
              AND NOT (attempts > 0 AND (key IS NULL OR key LIKE '%1$s%%')) AND coalesce(key, '') NOT LIKE '%1$s%%'
            """.formatted(Faults.POISON_KEYS);

    private final JdbcTemplate jdbc;

    Rows(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    List<Row> all() {
        List<Row> rows = new ArrayList<>();
        jdbc.query(ALL, row -> {
            rows.add(new Row(
                    row.getLong("id"),
                    row.getObject("message_id", UUID.class),
                    row.getString("topic"),
                    row.getString("key"),
                    Digest.ofHash(row.getBytes("hash")),
                    row.getInt("attempts"),
                    Row.State.valueOf(row.getString("state"))));
        });
        return rows;
    }

    /** Numbers of the transactions whose business has committed. */
    Set<Long> committedTransactions() {
        return new HashSet<>(jdbc.queryForList(COMMITTED, Long.class));
    }

    long pending() {
        return count(PENDING);
    }

    /** Whether nothing waits that has no reason to. Not, as far as anyone knows, while the database does not answer. */
    boolean drained() {
        try {
            return count(UNDELIVERED) == 0;
        } catch (DataAccessException e) {
            return false;
        }
    }

    private long count(String sql) {
        Long count = jdbc.queryForObject(sql, Long.class);
        return count == null ? 0 : count;
    }
}
