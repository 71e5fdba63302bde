package dev.outbox.consumer;

import dev.outbox.schema.OutboxDatabase;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/** The table {@code processed_event}: what each consumer has handled. */
final class ProcessedEvents {

    /**
     * Of two transactions that insert the same id, the second waits for the outcome of the first: it inserts when
     * that one rolls back, and affects no row when it commits.
     */
    private static final String INSERT = """
            INSERT INTO {schema}processed_event (consumer, event_id) VALUES (?, ?) ON CONFLICT DO NOTHING
            """;

    private final String insert;

    ProcessedEvents(OutboxDatabase database) {
        insert = database.sql(INSERT);
    }

    /** Records the event in a transaction; whether it was not there before. */
    boolean add(JdbcTemplate jdbc, String consumer, UUID eventId) {
        return jdbc.update(insert, consumer, eventId) == 1;
    }
}
