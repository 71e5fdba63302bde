package dev.outbox.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.test.TestService;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A service with Kafka transactions of its own has Kafka's transaction manager, and the outbox none the less. */
class KafkaTransactionManagerIntegrationTests {

    @Test
    void withoutAManagerForTheDatabaseTheConsumerRefusesAndTheEventIsNotRecorded() {
        try (TestService service = TestService.onSharedServers()
                .with("spring.kafka.producer.transaction-id-prefix", "tx-")
                .start()) {
            IdempotentConsumer consumer = service.bean(IdempotentConsumer.class);

            assertThatThrownBy(() -> consumer.once("summary", UUID.randomUUID(), () -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no transaction manager for the outbox's DataSource")
                    .hasMessageContaining("DataSourceTransactionManager");
            assertThat(handled(service)).isZero();
        }
    }

    @Test
    void withBothManagersTheConsumerTakesTheOneOfTheDatabase() {
        try (TestService service = TestService.onSharedServers()
                .with("spring.kafka.producer.transaction-id-prefix", "tx-")
                .with(DatabaseTransactions.class)
                .start()) {
            IdempotentConsumer consumer = service.bean(IdempotentConsumer.class);
            UUID event = UUID.randomUUID();

            assertThatThrownBy(() -> consumer.once("summary", event, () -> {
                        throw new IllegalArgumentException("the handler's own");
                    }))
                    .hasMessage("the handler's own");
            assertThat(handled(service)).isZero();
            assertThat(consumer.once("summary", event, () -> {})).isTrue();
            assertThat(consumer.once("summary", event, () -> {})).isFalse();
            assertThat(handled(service)).isOne();
        }
    }

    private static int handled(TestService service) {
        return service.bean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM processed_event", Integer.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class DatabaseTransactions {

        @Bean
        JdbcTransactionManager databaseTransactions(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }
}
