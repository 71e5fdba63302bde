package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.testservers.OwnPostgres;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.test.annotation.DirtiesContext;

/** An event that comes while the database is down is handled when it is back. */
@SpringBootTest(properties = "spring.datasource.hikari.connection-timeout=500")
@Import({DevServers.class, DatabaseOutageIntegrationTests.OwnDatabase.class})
@DirtiesContext
class DatabaseOutageIntegrationTests {

    private static final OwnPostgres POSTGRES = OwnPostgres.start(Map.of());

    @AfterAll
    static void closePostgres() {
        POSTGRES.close();
    }

    @Test
    void theSummaryMissesNoEvent(
            @Autowired KafkaTemplate<String, String> kafka,
            @Autowired DefaultErrorHandler errorHandler,
            @Autowired JdbcClient jdbc) {
        AtomicInteger attempts = new AtomicInteger();
        errorHandler.setRetryListeners((record, failure, attempt) -> attempts.set(attempt));

        POSTGRES.stop();
        kafka.send(orderCreated("alice")).join();
        // One more than a failure of another kind is given.
        await().atMost(Duration.ofSeconds(60)).until(() -> attempts.get() >= 5);
        POSTGRES.startAgain();

        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(
                                jdbc.sql("SELECT order_count FROM customer_summary WHERE customer_id = 'alice'")
                                        .query(Long.class)
                                        .single())
                        .isEqualTo(1));
    }

    private static ProducerRecord<String, String> orderCreated(String customerId) {
        String payload = "{\"customerId\":\"%s\",\"amount\":1.00}".formatted(customerId);
        ProducerRecord<String, String> record = new ProducerRecord<>(OrderEvents.TOPIC, payload);
        Map.of("event_type", "OrderCreated", "event_id", UUID.randomUUID().toString())
                .forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        return record;
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class OwnDatabase {

        @Bean
        @Primary
        JdbcConnectionDetails ownDatabase() {
            return new DevServers.DatabaseDetails(POSTGRES.createDatabase(), POSTGRES.user(), POSTGRES.password());
        }
    }
}
