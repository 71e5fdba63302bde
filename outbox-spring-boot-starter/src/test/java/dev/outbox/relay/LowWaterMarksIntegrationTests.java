package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.outbox.relay.PendingMessage.OrderKey;
import dev.outbox.schema.OutboxDatabase;
import dev.outbox.test.PlannedDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What lies below a mark needs no look; and nothing that has to be published lies there, however late it commits. */
class LowWaterMarksIntegrationTests {

    private static final Exclusions TOPIC_DOWN = new Exclusions(Set.of("down"), Map.of());

    private PlannedDatabase database;
    private Connection connection;
    private OutboxStore store;
    private LowWaterMarks marks;
    private long now;

    @BeforeEach
    void create() throws Exception {
        database = new PlannedDatabase();
        connection = database.open();
        OutboxDatabase outbox = new OutboxDatabase(database.dataSource(), null);
        store = new OutboxStore(outbox, Duration.ofSeconds(10));
        marks = new LowWaterMarks(new LaneSurvey(outbox), () -> now);
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        database.close();
    }

    @Test
    void aLookThatIsQuickNeedsNoMarks() throws Exception {
        insert(connection, "up", 100);
        marks.lookTook(LowWaterMarks.SLOW_LOOK);

        marks.raise(connection, Exclusions.NONE);

        assertThat(marks.of(Exclusions.NONE)).containsOnly(0L);
    }

    @Test
    void messagesOfATopicThatIsHeldBackLieBelowTheMarks() throws Exception {
        insert(connection, "down", 2_000);
        insert(connection, "up", 5);

        raise(TOPIC_DOWN);

        assertThat(marks.of(TOPIC_DOWN)).allMatch(mark -> mark >= 2_000);
        assertThat(claimed(TOPIC_DOWN)).isEqualTo(lanes("topic = 'up'"));
    }

    @Test
    void publishedMessagesLieBelowTheMarks() throws Exception {
        insert(connection, "up", 500);
        database.drain();
        insert(connection, "up", 5);

        raise(Exclusions.NONE);

        assertThat(marks.of(Exclusions.NONE)).allMatch(mark -> mark >= 500);
        assertThat(claimed(Exclusions.NONE)).isEqualTo(lanes("published_at IS NULL"));
    }

    @Test
    void aMessageThatCommitsLateIsNotMissed() throws Exception {
        try (Connection late = database.open()) {
            late.setAutoCommit(false);
            insert(late, "late", 1);
            insert(connection, "up", 500);
            database.drain();

            raise(Exclusions.NONE);
            assertThat(marks.of(Exclusions.NONE)).containsOnly(0L);

            late.commit();
        }
        raise(Exclusions.NONE);

        assertThat(marks.of(Exclusions.NONE)).anyMatch(mark -> mark >= 500);
        assertThat(claimed(Exclusions.NONE)).isEqualTo(lanes("topic = 'late'")).hasSize(1);
    }

    @Test
    void aTransactionThatBeginsLaterDoesNotDelayTheMarks() throws Exception {
        try (Connection first = database.open();
                Connection second = database.open()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            insert(first, "late", 1);
            insert(connection, "up", 500);
            database.drain();
            raise(Exclusions.NONE);
            insert(second, "late", 1);
            first.rollback();

            raise(Exclusions.NONE);

            assertThat(marks.of(Exclusions.NONE)).containsOnly(501L);
            second.commit();
            assertThat(claimed(Exclusions.NONE))
                    .isEqualTo(lanes("topic = 'late'"))
                    .hasSize(1);
        }
    }

    @Test
    void marksEndWithTheirTopicsHold() throws Exception {
        insert(connection, "down", 500);
        raise(TOPIC_DOWN);

        assertThat(marks.of(Exclusions.NONE)).containsOnly(0L);
        assertThat(claimed(Exclusions.NONE)).hasSize(OutboxStore.LANES);
        // It is held back again, with another one, before it was published.
        assertThat(marks.of(new Exclusions(Set.of("down", "other"), Map.of()))).containsOnly(500L);
    }

    @Test
    void aMarkEndsWithTheHoldOfAKeyInItsLane() throws Exception {
        insert(connection, "up", 500);
        Map<OrderKey, Integer> one = Map.of(new OrderKey("up", "1", 0), lane("up", "1"));
        Map<OrderKey, Integer> two =
                Map.of(new OrderKey("up", "1", 0), lane("up", "1"), new OrderKey("up", "2", 0), lane("up", "2"));
        database.execute("UPDATE outbox_message SET published_at = now() WHERE key NOT IN ('1', '2')");
        raise(new Exclusions(Set.of(), two));
        assertThat(marks.of(new Exclusions(Set.of(), two))).containsOnly(500L);

        Long[] withOne = marks.of(new Exclusions(Set.of(), one));

        assertThat(withOne[lane("up", "2")]).isZero();
        assertThat(Arrays.stream(withOne).filter(mark -> mark == 0)).hasSize(1);
        assertThat(claimed(new Exclusions(Set.of(), one))).containsExactly((short) lane("up", "2"));
    }

    @Test
    void aMarkEndsWithADecisionInItsLane() throws Exception {
        insert(connection, "up", 500);
        database.execute("UPDATE outbox_message SET dead_at = now()");
        raise(Exclusions.NONE);
        int lane = lane("up", "7");

        retry("7");

        assertThat(marks.of(Exclusions.NONE)).containsOnly(500L);
        marks.check(connection);
        assertThat(marks.of(Exclusions.NONE)[lane]).isZero();
        assertThat(Arrays.stream(marks.of(Exclusions.NONE)).filter(mark -> mark == 0))
                .hasSize(1);
        assertThat(claimed(Exclusions.NONE)).containsExactly((short) lane);
    }

    @Test
    void aNewMarkTakesADecisionIntoAccountThatTheOldOneHasNotSeen() throws Exception {
        insert(connection, "up", 500);
        database.execute("UPDATE outbox_message SET dead_at = now()");
        raise(Exclusions.NONE);

        retry("7");
        raise(Exclusions.NONE);

        assertThat(claimed(Exclusions.NONE)).containsExactly((short) lane("up", "7"));
        marks.check(connection);
        assertThat(claimed(Exclusions.NONE)).containsExactly((short) lane("up", "7"));
    }

    /** As an operator does. */
    private void retry(String key) throws SQLException {
        database.execute("UPDATE outbox_lane SET decisions = decisions + 1 WHERE lane = " + lane("up", key)
                + "; UPDATE outbox_message SET dead_at = NULL WHERE topic = 'up' AND key = '" + key + "'");
    }

    @Test
    void marksDoNotLiveLong() throws Exception {
        insert(connection, "down", 500);
        raise(TOPIC_DOWN);

        now += LowWaterMarks.LIFE.toNanos() + 1;

        assertThat(marks.of(TOPIC_DOWN)).containsOnly(0L);
    }

    @Test
    void marksThatHaveEndedCostNoStatementAnyMore() throws Exception {
        insert(connection, "down", 500);
        raise(TOPIC_DOWN);
        now += LowWaterMarks.LIFE.toNanos() + 1;

        connection.close();

        assertThatNoException().isThrownBy(() -> marks.check(connection));
    }

    private void raise(Exclusions held) throws SQLException {
        marks.lookTook(LowWaterMarks.SLOW_LOOK.plusNanos(1));
        marks.raise(connection, held);
    }

    private List<Short> claimed(Exclusions held) throws SQLException {
        return store.claim(connection, 0, OutboxStore.LANES, held, marks.of(held)).stream()
                .sorted()
                .toList();
    }

    private List<Short> lanes(String condition) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT DISTINCT lane FROM outbox_message WHERE " + condition + " ORDER BY lane")) {
            List<Short> lanes = new ArrayList<>();
            while (rows.next()) {
                lanes.add(rows.getShort(1));
            }
            return lanes;
        }
    }

    private int lane(String topic, String key) throws SQLException {
        return lanes("topic = '" + topic + "' AND key = '" + key + "'").get(0);
    }

    private static void insert(Connection connection, String topic, int messages) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO outbox_message (topic, key, payload) SELECT '" + topic
                    + "', n, '{}' FROM generate_series(1, " + messages + ") n");
        }
    }
}
