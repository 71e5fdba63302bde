package dev.outbox.metrics;

import dev.outbox.schema.OutboxDatabase;
import dev.outbox.test.PlannedDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sample of the backlog reads one row of each lane, whatever the planner believes. */
class BacklogPlansIntegrationTests {

    private PlannedDatabase database;

    @BeforeEach
    void create() throws Exception {
        database = new PlannedDatabase();
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void withStatisticsTakenWhenNothingWasPending() throws Exception {
        database.published(100_000);
        database.analyze();
        database.pending(20_000, 1_000);
        assertHeadsOnly();
        database.analyze();
        assertHeadsOnly();
    }

    @Test
    void withStatisticsOfABacklogOfOneKeyThatIsGone() throws Exception {
        database.pending(100_000, 1);
        database.analyze();
        database.drain();
        assertHeadsOnly();
        database.pending(100, 10);
        assertHeadsOnly();
    }

    private void assertHeadsOnly() throws Exception {
        Backlog backlog = new Backlog(new OutboxDatabase(database.dataSource(), null));
        String sql = database.sqlOf(connection -> backlog.oldestAge());
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            database.plan(connection -> {}, mode, sql, List.of(), List.of()).readsTheHeadOfThePendingIndex();
        }
    }
}
