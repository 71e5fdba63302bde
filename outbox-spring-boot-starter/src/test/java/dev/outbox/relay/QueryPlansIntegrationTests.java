package dev.outbox.relay;

import static java.util.stream.Collectors.joining;

import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Reason;
import dev.outbox.relay.OutboxStore.Limits;
import dev.outbox.relay.PendingMessage.OrderKey;
import dev.outbox.schema.OutboxDatabase;
import dev.outbox.test.PlannedDatabase;
import dev.outbox.test.PlannedDatabase.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever the planner believes of the table, the relay's statements read the head of the pending index. Statistics
 * are usually taken when nothing is pending, sometimes in a backlog that is gone by then.
 */
class QueryPlansIntegrationTests {

    private static final Exclusions NOTHING = Exclusions.NONE;
    private static final Exclusions SOMETHING = new Exclusions(
            Set.of("refunds"), Map.of(new OrderKey("orders", "7", 0), 3, new OrderKey("orders", null, 17), 5));
    private static final Long[] MARKS =
            Collections.nCopies(OutboxStore.LANES, 0L).toArray(Long[]::new);
    private static final String ZEROS =
            Arrays.stream(MARKS).map(Object::toString).collect(joining(",", "'{", "}'"));

    private static final List<String> HELD_TYPES = List.of("text[]", "text[]", "bigint[]");
    private static final List<String> HELD_VALUES = List.of("'{refunds}'", "'{6:orders7,6:orders8}'", "'{17}'");

    private static final String ALL_LANES = lanes(OutboxStore.LANES);

    private PlannedDatabase database;
    private OutboxStore store;

    @BeforeEach
    void create() throws Exception {
        database = new PlannedDatabase();
        store = new OutboxStore(new OutboxDatabase(database.dataSource(), null), Duration.ofSeconds(10));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void inAnEmptyTableOfWhichNothingIsKnown() throws Exception {
        database.pending(10, 10);
        assertClaimAndReadByThePendingIndex();
    }

    @Test
    void withStatisticsOfAnEmptyTable() throws Exception {
        database.analyze();
        database.pending(20_000, 1_000);
        assertClaimAndReadByThePendingIndex();
    }

    @Test
    void withStatisticsTakenWhenNothingWasPending() throws Exception {
        database.published(100_000);
        database.analyze();
        database.pending(20_000, 1_000);
        assertPlans(100_119);
    }

    @Test
    void withStatisticsOfABacklogOfOneKeyThatIsGone() throws Exception {
        database.pending(100_000, 1);
        database.analyze();
        database.drain();
        database.pending(2_000, 1_000);
        assertPlans(100_119);
    }

    @Test
    void withStatisticsOfABacklogThatIsStillThere() throws Exception {
        database.published(100_000);
        database.pending(20_000, 1_000);
        database.analyze();
        assertPlans(100_119);
    }

    @Test
    void withStatisticsOfABacklogOfOneKeyThatIsStillThere() throws Exception {
        database.published(20_000);
        database.pending(100_000, 1);
        database.analyze();
        assertPlans(100_119);
    }

    @Test
    @Tag("plans-large")
    void withAMillionPublishedAndTwoHundredThousandPending() throws Exception {
        database.published(1_000_000);
        database.analyze();
        database.pending(200_000, 1_000);
        assertPlans(1_000_119);
        database.analyze();
        assertPlans(1_000_119);
        database.drain();
        database.pending(100, 10);
        assertPlans(1_200_019);
    }

    private void assertPlans(long pendingId) throws Exception {
        assertClaimAndReadByThePendingIndex();
        String mark = database.sqlOf(connection -> store.markPublished(connection, List.of(1L)));
        String failed = database.sqlOf(connection -> store.markFailed(connection, List.of(failed(pendingId))));
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            plan(mode, mark, List.of("bigint[]"), List.of("'{" + pendingId + "}'"))
                    .goesByThePrimaryKey();
            plan(mode, mark, List.of("bigint[]"), List.of(ids(pendingId, 1_000)))
                    .goesByThePrimaryKey();
            plan(
                            mode,
                            failed,
                            List.of("bigint", "text", "bigint"),
                            List.of("1000", "'failed'", Long.toString(pendingId)))
                    .goesByThePrimaryKey();
        }
    }

    private void assertClaimAndReadByThePendingIndex() throws Exception {
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            claim(mode, NOTHING).readsTheHeadOfThePendingIndex();
            claim(mode, SOMETHING).readsTheHeadOfThePendingIndex();
            for (String lanes : List.of("'{17}'", ALL_LANES)) {
                for (int rows : new int[] {1, 32, 1_000, 10_000}) {
                    read(mode, lanes, rows, NOTHING).readsTheHeadOfThePendingIndex();
                    read(mode, lanes, rows, SOMETHING).readsTheHeadOfThePendingIndex();
                }
            }
        }
    }

    private Plan claim(String mode, Exclusions held) throws Exception {
        String sql = database.sqlOf(connection -> store.claim(connection, 17, 32, held, MARKS));
        return plan(
                mode,
                sql,
                around(List.of("bigint[]"), held, HELD_TYPES, "int", "int"),
                around(List.of(ZEROS), held, HELD_VALUES, "17", "32"));
    }

    private Plan read(String mode, String lanes, int rows, Exclusions held) throws Exception {
        String sql = database.sqlOf(
                connection -> store.read(connection, List.of((short) 17), new Limits(rows, 8_000_000), held, MARKS));
        return plan(
                mode,
                sql,
                around(List.of("smallint[]", "bigint[]"), held, HELD_TYPES, "int", "bigint"),
                around(List.of(lanes, ZEROS), held, HELD_VALUES, Integer.toString(rows), "8000000"));
    }

    private Plan plan(String mode, String sql, List<String> types, List<String> values) throws Exception {
        return database.plan(store::begin, mode, sql, types, values);
    }

    private static List<String> around(List<String> first, Exclusions held, List<String> ofHeld, String... last) {
        List<String> all = new ArrayList<>(first);
        if (!held.isEmpty()) {
            all.addAll(ofHeld);
        }
        all.addAll(List.of(last));
        return all;
    }

    private static String lanes(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).collect(joining(",", "'{", "}'"));
    }

    private static String ids(long first, int count) {
        return IntStream.range(0, count).mapToObj(i -> Long.toString(first + i)).collect(joining(",", "'{", "}'"));
    }

    private static FailedAttempt failed(long id) {
        PendingMessage message = message(id);
        Exception cause = new IllegalArgumentException("failed");
        return new FailedAttempt(
                message,
                new PublishFailure(message.describe(), 1, Reason.MALFORMED, "failed", cause),
                Duration.ofSeconds(1));
    }

    private static PendingMessage message(long id) {
        return new PendingMessage(
                id,
                0,
                new UUID(7, id),
                "orders",
                "1",
                null,
                null,
                null,
                null,
                true,
                null,
                null,
                Instant.EPOCH,
                0,
                Duration.ZERO,
                null,
                null);
    }
}
