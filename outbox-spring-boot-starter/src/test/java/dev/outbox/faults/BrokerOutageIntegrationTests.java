package dev.outbox.faults;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** While the broker is away messages are written and wait; when it is back they flow, all and in order, without help. */
class BrokerOutageIntegrationTests {

    private final OwnKafka kafka = FaultBroker.healthy();
    private final Stage stage = Stage.on(kafka);

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void aKillUnderLoadLosesNothingAndKeepsTheOrder() {
        // The producer is fresh when the broker goes: these partitions were never written.
        killUnderLoad(Topics.create(kafka, "killed", 4, Map.of()));
    }

    @RepeatedTest(10)
    @Tag("faults-long")
    void killsUnderLoadLoseNothingAndKeepTheOrder() {
        killUnderLoad(Topics.create(kafka, "killed", 4, Map.of()));
    }

    private void killUnderLoad(String topic) {
        // Large messages, so that each partition has several requests to come.
        try (Load load = new Load(stage.writer(), topic, 40, 20_000)) {
            load.write(400);
            try (TestService relay = stage.relay("relay").start()) {
                Future<?> writing = load.start(800);
                load.awaitCommitted(500);
                kafka.kill();
                load.awaitCommitted(900);
                kafka.startAgain();
                Load.get(writing);
                stage.awaitDrained();

                // Once more, with a producer that knows its partitions.
                writing = load.start(400);
                load.awaitCommitted(1_300);
                kafka.kill();
                kafka.startAgain();
                Load.get(writing);
                stage.awaitDrained();
            }
            load.assertPublishedInOrder(kafka);
        }
    }

    @Test
    void aFreezeBeyondTheTimeoutsLosesNothingAndKeepsTheOrder() {
        String topic = Topics.create(kafka, "frozen", 4, Map.of());
        try (RelayLogLines log = RelayLogLines.record();
                Load load = new Load(stage.writer(), topic, 40, 20_000);
                TestService relay = stage.relay("relay")
                        .with("outbox.relay.publish-timeout", "2s")
                        .start()) {
            load.write(50);
            for (int freeze = 1; freeze <= 2; freeze++) {
                Future<?> writing = load.start(400);
                kafka.freeze();
                log.await(RelayLogLines.BROKER_DOWN, freeze);
                kafka.thaw();
                Load.get(writing);
                stage.awaitDrained();
            }
            load.assertPublishedInOrder(kafka);
        }
    }

    @Test
    void whileTheBrokerIsKnownToBeDownNoTransactionIsOpenedForIt() {
        String topic = Topics.create(kafka, "paused");
        BorrowedConnections.count.set(0);
        AtomicInteger whenDown = new AtomicInteger(-1);
        AtomicInteger whenBack = new AtomicInteger(-1);
        // Both lines are logged by the relay's thread, the one before and the other after the pause.
        try (RelayLogLines log = RelayLogLines.record(line -> {
                    if (line.startsWith(RelayLogLines.BROKER_DOWN)) {
                        whenDown.compareAndSet(-1, BorrowedConnections.count.get());
                    } else if (line.startsWith(RelayLogLines.BROKER_BACK)) {
                        whenBack.compareAndSet(-1, BorrowedConnections.count.get());
                    }
                });
                Load load = new Load(stage.writer(), topic, 10);
                TestService relay = stage.relay("relay")
                        .with(BorrowedConnections.class)
                        .with("outbox.relay.publish-timeout", "2s")
                        .with("outbox.metrics.sample-interval", "1h")
                        .start()) {
            load.write(50);
            stage.awaitDrained();
            kafka.freeze();
            load.write(50);
            log.await(RelayLogLines.BROKER_DOWN);
            load.write(200);
            assertThat(stage.openTransactions("relay")).isZero();
            kafka.thaw();
            log.await(RelayLogLines.BROKER_BACK);
            assertThat(whenBack.get()).isEqualTo(whenDown.get()).isPositive();

            stage.awaitDrained();
            load.assertPublishedInOrder(kafka);
        }
    }

    @Test
    void aServiceStartsWhileTheBrokerIsDownAndPublishesWhenItIsUp() {
        String topic = Topics.create(kafka, "down");
        kafka.kill();
        try (RelayLogLines log = RelayLogLines.record();
                Load load = new Load(stage.writer(), topic, 10);
                TestService service = stage.relay("relay")
                        .with("outbox.relay.publish-timeout", "2s")
                        .start()) {
            service.write(to(topic).key("own").payload("own:1 "));
            load.write(100);
            log.await(RelayLogLines.BROKER_DOWN);
            assertThat(stage.writer().pending()).isEqualTo(load.committed() + 1);
            kafka.startAgain();
            stage.awaitDrained();
            assertThat(Topics.read(kafka, topic)).hasSizeGreaterThan(load.committed());
            assertThat(stage.rows(topic))
                    .allSatisfy(row -> assertThat(row.get("attempts")).isEqualTo(0));
        }
    }

    @Test
    void aServiceStartsWhenTheNameOfTheBrokerDoesNotResolve() {
        try (RelayLogLines log = RelayLogLines.record();
                TestService service = stage.relay("relay")
                        .with("spring.kafka.bootstrap-servers", "no-such-broker.invalid:9092")
                        .with("outbox.relay.publish-timeout", "2s")
                        .start()) {
            service.write(to("anywhere").key("k").payload("one"));
            log.await(RelayLogLines.BROKER_DOWN);
            service.write(to("anywhere").key("k").payload("two"));

            assertThat(stage.rows("anywhere")).hasSize(2).allSatisfy(row -> {
                assertThat(row.get("published_at")).isNull();
                assertThat(row.get("attempts")).isEqualTo(0);
            });
            await("no transaction is open").until(() -> stage.openTransactions("relay") == 0);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BorrowedConnections {

        static final AtomicInteger count = new AtomicInteger();

        @Bean
        static BeanPostProcessor counting() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof DataSource dataSource ? new Counting(dataSource) : bean;
                }
            };
        }

        private static final class Counting extends DelegatingDataSource {

            Counting(DataSource target) {
                super(target);
            }

            @Override
            public Connection getConnection() throws SQLException {
                count.incrementAndGet();
                return super.getConnection();
            }
        }
    }
}
