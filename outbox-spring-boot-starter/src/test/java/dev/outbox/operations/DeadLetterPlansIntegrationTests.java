package dev.outbox.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetterFilter;
import dev.outbox.schema.OutboxDatabase;
import dev.outbox.test.PlannedDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators do goes by the small indexes of dead letters, whatever the planner believes of the table. */
class DeadLetterPlansIntegrationTests {

    private static final String TIME = "'2026-01-01T00:00:00Z'";

    private PlannedDatabase database;
    private DeadLetterRows rows;

    @BeforeEach
    void create() throws Exception {
        database = new PlannedDatabase();
        rows = new DeadLetterRows(new OutboxDatabase(database.dataSource(), null));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void withStatisticsTakenWhenNothingWasDead() throws Exception {
        database.published(100_000);
        database.analyze();
        die();
        assertPlans();
        database.analyze();
        assertPlans();
    }

    private void die() throws SQLException {
        database.execute("INSERT INTO outbox_message (topic, key, payload, dead_at) SELECT 'orders', n, '1', now()"
                + " FROM generate_series(1, 10000) n");
        database.execute(
                "INSERT INTO outbox_message (topic, key, payload, blocked_by) SELECT 'orders', n, '1', 100000 + n"
                        + " FROM generate_series(1, 10000) n");
    }

    private void assertPlans() throws Exception {
        String first = database.sqlOf(connection -> rows.find(connection, DeadLetterFilter.all(), null, 500));
        String later = database.sqlOf(connection ->
                rows.find(connection, DeadLetterFilter.all().topic("orders"), new Position(Instant.EPOCH, 1), 500));
        String free = database.sqlOf(connection -> rows.free(connection, List.of(1L)));
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            assertThat(plan(mode, first, List.of("int"), List.of("500")))
                    .contains("outbox_message_dead")
                    .doesNotContain("Seq Scan", "outbox_message_pkey");
            assertThat(plan(
                            mode,
                            later,
                            List.of("timestamptz", "bigint", "text", "int"),
                            List.of(TIME, "17", "'orders'", "500")))
                    .contains("outbox_message_dead")
                    .doesNotContain("Seq Scan", "outbox_message_pkey");
            assertThat(plan(mode, free, List.of("bigint[]"), List.of("'{100017,100018}'")))
                    .contains("outbox_message_blocked")
                    .doesNotContain("Seq Scan");
        }
    }

    private String plan(String mode, String sql, List<String> types, List<String> values) throws Exception {
        return database.plan(connection -> {}, mode, sql, types, values).toString();
    }
}
