package dev.outbox.faults;

import static org.awaitility.Awaitility.await;

import dev.outbox.test.TestService;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A new database with a service that writes to its outbox, and as many relays on it as a test starts. */
final class Stage implements AutoCloseable {

    static final Duration BOUND = Duration.ofMinutes(2);

    /** Sessions in mid-batch: they have claimed lanes and read messages, and now it is Kafka's turn. */
    private static final String IN_MID_BATCH = """
            SELECT a.pid
            FROM pg_stat_activity a
            WHERE a.datname = current_database() AND a.application_name = ? AND a.state = 'idle in transaction'
              AND a.query LIKE '%bytes_before%'
              AND EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.relation = 'outbox_lane'::regclass)
            """;

    private static final String IN_TRANSACTION = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = ? AND xact_start IS NOT NULL
            """;

    private final Postgres postgres;
    private final String jdbcUrl;
    private final Kafka kafka;
    private final TestService writer;

    private Stage(Postgres postgres, Kafka kafka) {
        this.postgres = postgres;
        this.jdbcUrl = postgres.createDatabase();
        this.kafka = kafka;
        this.writer = TestService.on(jdbcUrl, postgres, kafka)
                .withoutRelay()
                .with("spring.datasource.hikari.connection-timeout", 2_000)
                .with("outbox.writer.max-message-size", "4MB")
                .start();
    }

    static Stage on(Kafka kafka) {
        return new Stage(TestServers.postgres(), kafka);
    }

    static Stage on(Postgres postgres, Kafka kafka) {
        return new Stage(postgres, kafka);
    }

    TestService writer() {
        return writer;
    }

    /** A service whose relay is told from others by the name of its sessions; its pool is as small as it may be. */
    TestService.Builder relay(String name) {
        return TestService.on(jdbcUrl, postgres, kafka)
                .with("spring.datasource.hikari.data-source-properties.ApplicationName", name)
                .with("spring.datasource.hikari.maximum-pool-size", 2)
                .with("spring.datasource.hikari.connection-timeout", 2_000)
                .with("outbox.relay.poll-interval", "100ms");
    }

    void awaitDrained() {
        awaitPending(0);
    }

    /** Waits until all messages but this many are published. */
    void awaitPending(int messages) {
        await().atMost(BOUND)
                .failFast("a message was published that should wait", () -> writer.pending() < messages)
                .untilAsserted(() -> {
                    if (writer.pending() != messages) {
                        throw new AssertionError(
                                writer.pending() + " messages are pending, among them " + somePending());
                    }
                });
    }

    /** Waits until a relay has a batch in progress that Kafka has not acknowledged. */
    void awaitMidBatch(String relay) {
        await(relay + " is in mid-batch")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> !midBatch(relay).isEmpty());
    }

    /** The sessions of a relay that have a batch in progress. */
    List<Integer> midBatch(String relay) {
        return writer.jdbc().queryForList(IN_MID_BATCH, Integer.class, relay);
    }

    /** How many transactions a relay has open. */
    int openTransactions(String relay) {
        return writer.jdbc().queryForObject(IN_TRANSACTION, Integer.class, relay);
    }

    /** Waits until a relay has no transaction open and so no claim. */
    void awaitNoTransaction(String relay) {
        await(relay + " has no transaction").atMost(BOUND).until(() -> openTransactions(relay) == 0);
    }

    /** The retry state of the messages of a topic in their order. */
    List<Map<String, Object>> rows(String topic) {
        return writer.jdbc()
                .queryForList(
                        "SELECT key, published_at, attempts, next_attempt_at, last_error FROM outbox_message WHERE topic = ?"
                                + " ORDER BY id",
                        topic);
    }

    private List<Map<String, Object>> somePending() {
        return writer.jdbc()
                .queryForList("SELECT id, topic, key, attempts, next_attempt_at, last_error FROM outbox_message"
                        + " WHERE published_at IS NULL ORDER BY id LIMIT 5");
    }

    @Override
    public void close() {
        writer.close();
    }
}
