package dev.outbox.application;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.consumer.IdempotentConsumer;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;

/**
 * However a service sets up its pool, its transactions, its start and its producers: messages are written and published,
 * and the connections of its pool are as if nobody else had used them.
 */
class ServiceSettingsIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    static Stream<List<String>> services() {
        return Stream.of(
                List.of("spring.datasource.hikari.auto-commit=false", "spring.datasource.hikari.maximum-pool-size=2"),
                List.of("spring.datasource.hikari.transaction-isolation=TRANSACTION_SERIALIZABLE"),
                List.of("spring.datasource.hikari.connection-init-sql="
                        + "SET default_transaction_isolation = 'repeatable read'"),
                List.of("spring.datasource.type=org.springframework.jdbc.datasource.SimpleDriverDataSource"),
                List.of("spring.main.lazy-initialization=true", "spring.threads.virtual.enabled=true"),
                List.of(
                        "spring.kafka.producer.value-serializer=org.apache.kafka.common.serialization.StringSerializer",
                        "spring.kafka.producer.acks=0",
                        "spring.kafka.producer.retries=0",
                        "spring.kafka.producer.batch-size=0B",
                        "spring.kafka.producer.buffer-memory=1KB",
                        "spring.kafka.producer.compression-type=gzip",
                        "spring.kafka.producer.properties[enable.idempotence]=false",
                        "spring.kafka.producer.properties[max.in.flight.requests.per.connection]=100",
                        "spring.kafka.producer.properties[delivery.timeout.ms]=1",
                        "spring.kafka.producer.properties[linger.ms]=600000",
                        "spring.kafka.producer.properties[max.block.ms]=0",
                        "spring.kafka.producer.properties[request.timeout.ms]=600000",
                        "spring.kafka.producer.properties[key.serializer]=no.such.Serializer",
                        "spring.kafka.producer.properties[partitioner.class]=no.such.Partitioner",
                        "spring.kafka.producer.properties[partitioner.ignore.keys]=true",
                        "spring.kafka.producer.properties[interceptor.classes]=no.such.Interceptor",
                        "spring.kafka.producer.properties[transactional.id]=orders",
                        "spring.kafka.client-id=orders"),
                List.of("outbox.relay.batch-size=1"),
                List.of("outbox.relay.batch-bytes=1B"),
                List.of("outbox.relay.publish-timeout=1s"));
    }

    @ParameterizedTest
    @MethodSource("services")
    void messagesArriveAndConnectionsAreAsBefore(List<String> settings) throws SQLException {
        Kafka kafka = TestServers.kafka();
        String topic = Topics.create(kafka, "any");
        TestService.Builder builder = TestService.onSharedServers()
                .with("spring.datasource.hikari.maximum-pool-size", 3)
                .with("outbox.metrics.sample-interval", "100ms");
        for (String setting : settings) {
            int at = setting.indexOf('=');
            builder.with(setting.substring(0, at), setting.substring(at + 1));
        }
        try (LogLines log = LogLines.of("dev.outbox", Level.INFO);
                TestService service = builder.start()) {
            List<UUID> ids = service.write(
                    to(topic).key("k").json("{}"),
                    to(topic).key("k").payload("x"),
                    to(topic).key("k"));
            await().atMost(BOUND).until(() -> service.pending() == 0);
            assertThat(Topics.eventIds(kafka, topic)).isEqualTo(ids);

            IdempotentConsumer consumer = service.bean(IdempotentConsumer.class);
            assertThat(consumer.once("c", ids.get(0), () -> {})).isTrue();
            assertThat(consumer.once("c", ids.get(0), () -> {})).isFalse();

            assertThat(service.context().getBeanNamesForType(ScheduledAnnotationBeanPostProcessor.class))
                    .isEmpty();
            assertThat(log.at(Level.ERROR)).isEmpty();
            if (service.bean(DataSource.class) instanceof HikariDataSource pool) {
                assertThat(connections(pool)).containsOnly(newConnection(pool));
            }
        }
    }

    /** Spring Boot's Flyway, as that of the starter, needs two: here the tables are there already. */
    @Test
    void aPoolOfOneServesTheServiceAndTheRelayInTurn() throws Exception {
        Kafka kafka = TestServers.kafka();
        Postgres postgres = TestServers.postgres();
        String database = postgres.createDatabase();
        String topic = Topics.create(kafka, "one-connection");
        TestService.on(database, postgres, kafka).withoutRelay().start().close();
        try (TestService service = TestService.on(database, postgres, kafka)
                .with("spring.datasource.hikari.maximum-pool-size", 1)
                .with("spring.flyway.enabled", false)
                .with("outbox.flyway.enabled", false)
                .with("outbox.metrics.sample-interval", "100ms")
                .start()) {
            inParallel(4, () -> {
                for (int i = 0; i < 25; i++) {
                    service.write(to(topic).payload("x"));
                }
            });
            await().atMost(BOUND).until(() -> service.pending() == 0);
            assertThat(Topics.eventIds(kafka, topic)).hasSize(100).doesNotHaveDuplicates();
        }
    }

    @Test
    void serializableTransactionsThatWriteAtTheSameTimeDoNotFailEachOther() throws Exception {
        int parallel = 4;
        try (TestService service = TestService.onSharedServers()
                .with("spring.datasource.hikari.transaction-isolation", "TRANSACTION_SERIALIZABLE")
                .start()) {
            String topic = Topics.create(TestServers.kafka(), "serializable");
            CyclicBarrier allHaveWritten = new CyclicBarrier(parallel);
            inParallel(
                    parallel,
                    () -> service.inTransaction(() -> {
                        service.writer().write(to(topic).key("k").payload("x"));
                        try {
                            return allHaveWritten.await(BOUND.toSeconds(), TimeUnit.SECONDS);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    }));
            await().atMost(BOUND).until(() -> service.pending() == 0);
            assertThat(Topics.eventIds(TestServers.kafka(), topic)).hasSize(parallel);
        }
    }

    private static void inParallel(int threads, Runnable work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(executor.submit(work));
            }
            for (Future<?> one : all) {
                one.get(2 * BOUND.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    /** The state of all connections of the pool, the relay's among them. */
    private static List<Map<String, String>> connections(HikariDataSource pool) throws SQLException {
        List<Connection> all = new ArrayList<>();
        List<Map<String, String>> states = new ArrayList<>();
        try {
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                all.add(pool.getConnection());
            }
            for (Connection connection : all) {
                states.add(state(connection));
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        return states;
    }

    private static Map<String, String> newConnection(HikariDataSource pool) throws SQLException {
        HikariConfig configuration = new HikariConfig();
        pool.copyStateTo(configuration);
        try (HikariDataSource unused = new HikariDataSource(configuration);
                Connection connection = unused.getConnection()) {
            return state(connection);
        }
    }

    private static Map<String, String> state(Connection connection) throws SQLException {
        Map<String, String> state = new TreeMap<>();
        state.put("auto-commit", Boolean.toString(connection.getAutoCommit()));
        state.put("network timeout", Integer.toString(connection.getNetworkTimeout()));
        try (Statement statement = connection.createStatement();
                ResultSet settings = statement.executeQuery("SELECT name, setting FROM pg_settings")) {
            while (settings.next()) {
                state.put(settings.getString(1), settings.getString(2));
            }
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return state;
    }
}
