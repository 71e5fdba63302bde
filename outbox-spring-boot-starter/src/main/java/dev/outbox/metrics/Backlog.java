package dev.outbox.metrics;

import dev.outbox.schema.OutboxDatabase;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Asks the database about the backlog, at a cost that does not grow with it. */
final class Backlog {

    /** The first row of each lane by the index of pending messages. */
    private static final String OLDEST_AGE = """
            SELECT extract(epoch FROM clock_timestamp() - min(head.created_at)) * 1000
            FROM generate_series(0, 63) AS lanes (lane)
            CROSS JOIN LATERAL (SELECT m.created_at
                                FROM {schema}outbox_message m
                                WHERE m.lane BETWEEN lanes.lane AND lanes.lane
                                  AND m.published_at IS NULL AND m.dead_at IS NULL AND m.blocked_by IS NULL
                                ORDER BY m.lane, m.id
                                LIMIT 1) head
            """;

    private static final int QUERY_TIMEOUT_SECONDS = 5;

    private final JdbcTemplate jdbc;
    private final String oldestAge;

    Backlog(OutboxDatabase database) {
        jdbc = new JdbcTemplate(database.dataSource());
        jdbc.setQueryTimeout(QUERY_TIMEOUT_SECONDS);
        oldestAge = database.sql(OLDEST_AGE);
    }

    /** Time since the oldest pending message was written; zero when none is pending. */
    Duration oldestAge() {
        @Nullable Double millis = jdbc.queryForObject(oldestAge, Double.class);
        return millis == null ? Duration.ZERO : Duration.ofMillis(Math.max(0, millis.longValue()));
    }
}
