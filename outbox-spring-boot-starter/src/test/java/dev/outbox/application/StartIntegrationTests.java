package dev.outbox.application;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The start of an application that takes long, and one that fails. */
class StartIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Kafka kafka = TestServers.kafka();
    private final Postgres postgres = TestServers.postgres();
    private final String database = postgres.createDatabase();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theRelayWaitsWithoutAWordForAMigrationThatTakesItsTime(boolean lazy) throws Exception {
        String topic = Topics.create(kafka, "slow-migration");
        try (TestService writer = service().withoutRelay().start();
                LogLines log = LogLines.of("dev.outbox", Level.INFO)) {
            writer.write(to(topic).payload("waits"));
            OutboxThreads threads = OutboxThreads.sinceNow();
            CompletableFuture<TestService> starting;
            try (Connection other = DriverManager.getConnection(database, postgres.user(), postgres.password());
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("LOCK TABLE outbox_schema_history IN ACCESS EXCLUSIVE MODE");
                starting = CompletableFuture.supplyAsync(() ->
                        service().with("spring.main.lazy-initialization", lazy).start());
                await("the migration waits")
                        .atMost(BOUND)
                        .until(() -> writer.jdbc()
                                .queryForObject(
                                        "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)", Boolean.class));

                assertThat(threads.relays()).isZero();
                assertThat(starting).isNotDone();
                assertThat(log.at(Level.WARN)).isEmpty();
                other.rollback();
            }
            try (TestService service = starting.get(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                await().atMost(BOUND).until(() -> service.pending() == 0);
            }
            assertThat(log.at(Level.ERROR)).isEmpty();
        }
    }

    @Test
    void aStartThatFailsAfterTheRelayHasStartedLeavesNoThreadBehind() {
        OutboxThreads threads = OutboxThreads.sinceNow();
        assertThatExceptionOfType(ApplicationContextException.class)
                .isThrownBy(() -> service().with(FailsLast.class).start())
                .withStackTraceContaining("1 relay was there");
        threads.awaitEnd();
    }

    private TestService.Builder service() {
        return TestService.on(database, postgres, kafka);
    }

    @Configuration(proxyBeanMethods = false)
    static class FailsLast {

        /** As a web server does whose port is taken. */
        @Bean
        SmartLifecycle failsLast() {
            OutboxThreads threads = OutboxThreads.sinceNow();
            return new SmartLifecycle() {
                @Override
                public void start() {
                    throw new IllegalStateException(threads.relays() + " relay was there");
                }

                @Override
                public void stop() {}

                @Override
                public boolean isRunning() {
                    return false;
                }
            };
        }
    }
}
