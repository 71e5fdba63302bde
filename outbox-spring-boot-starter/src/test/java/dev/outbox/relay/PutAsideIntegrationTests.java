package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxOperations;
import dev.outbox.relay.OutboxStore.Limits;
import dev.outbox.schema.OutboxDatabase;
import dev.outbox.test.TestService;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A relay puts a message behind a dead letter, and an operator decides about the dead letter: at the same time. */
class PutAsideIntegrationTests {

    private static final Duration BOUND = Duration.ofMinutes(1);

    private static final String WAITS = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """;

    private static final Long[] NO_MARKS =
            Collections.nCopies(OutboxStore.LANES, 0L).toArray(new Long[0]);

    private final TestService service = start();
    private final OutboxOperations operations = service.bean(OutboxOperations.class);
    private final DeadLetters deadLetters = new DeadLetters(service.bean(OutboxDatabase.class));
    private final OutboxStore store = new OutboxStore(service.bean(OutboxDatabase.class), Duration.ofSeconds(10));
    private final UUID deadLetter = service.jdbc()
            .queryForObject(
                    "INSERT INTO outbox_message (topic, key, dead_at, blocked_by) VALUES ('t', 'k', now(), 1)"
                            + " RETURNING message_id",
                    UUID.class);

    /** Where a transaction sees nothing that was committed after its first statement, unless it says otherwise. */
    private static TestService start() {
        return TestService.onSharedServers()
                .withoutRelay()
                .with("spring.datasource.hikari.transaction-isolation", "TRANSACTION_REPEATABLE_READ")
                .start();
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void whatIsPutAsideBeforeTheDecisionIsFreedByIt() throws Exception {
        PendingMessage message = pending();
        CompletableFuture<Boolean> decision;
        try (Connection relay = connection()) {
            assertThat(claim(relay)).hasSize(1);
            decision = CompletableFuture.supplyAsync(() -> operations.retry(deadLetter));
            await("the operator waits").atMost(BOUND).until(() -> {
                return service.jdbc().queryForObject(WAITS, Integer.class) == 1;
            });
            assertThat(deadLetters.putAside(relay, List.of(message))).isEmpty();
            relay.commit();
        }
        assertThat(decision.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(blocked()).isZero();
    }

    @Test
    void noRelayReadsALaneInWhichAnOperatorDecides() throws Exception {
        pending();
        try (Connection operator = connection();
                Connection relay = connection()) {
            operator.createStatement()
                    .execute("UPDATE outbox_lane SET decisions = decisions + 1 WHERE lane ="
                            + " (SELECT lane FROM outbox_message WHERE dead_at IS NOT NULL)");
            assertThat(claim(relay)).isEmpty();
            operator.commit();
            assertThat(claim(relay)).hasSize(1);
        }
    }

    @Test
    void aMessageIsReadTogetherWithTheDeadLetterThatBlocksIt() throws Exception {
        pending();
        service.jdbc().update("INSERT INTO outbox_message (topic, key) VALUES ('t', 'free')");
        try (Connection relay = connection()) {
            assertThat(read(relay))
                    .extracting(PendingMessage::key, PendingMessage::blockedBy)
                    .containsExactlyInAnyOrder(tuple("k", 1L), tuple("free", null));
            relay.rollback();
            assertThat(operations.discard(deadLetter)).isTrue();
            assertThat(read(relay)).extracting(PendingMessage::blockedBy).containsExactly(null, null);
        }
    }

    private List<Short> claim(Connection connection) throws SQLException {
        return store.claim(connection, 0, OutboxStore.LANES, Exclusions.NONE, NO_MARKS);
    }

    private List<PendingMessage> read(Connection connection) throws SQLException {
        return store.read(connection, claim(connection), new Limits(10, 1_000_000), Exclusions.NONE, NO_MARKS);
    }

    private PendingMessage pending() {
        long id = service.jdbc()
                .queryForObject("INSERT INTO outbox_message (topic, key) VALUES ('t', 'k') RETURNING id", Long.class);
        return Messages.blocked(id, "t", "k", 1);
    }

    private int blocked() {
        return service.jdbc()
                .queryForObject("SELECT count(*) FROM outbox_message WHERE blocked_by IS NOT NULL", Integer.class);
    }

    private Connection connection() throws SQLException {
        Connection connection = service.bean(DataSource.class).getConnection();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        return connection;
    }
}
