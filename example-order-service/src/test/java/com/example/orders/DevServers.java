package com.example.orders;

import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.util.List;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** A PostgreSQL and a Kafka broker for development and tests, instead of those in application.yml. */
@TestConfiguration(proxyBeanMethods = false)
public class DevServers {

    @Bean
    JdbcConnectionDetails jdbcConnectionDetails() {
        Postgres postgres = TestServers.postgres();
        return new DatabaseDetails(postgres.createDatabase(), postgres.user(), postgres.password());
    }

    @Bean
    KafkaConnectionDetails kafkaConnectionDetails() {
        List<String> bootstrapServers = List.of(TestServers.kafka().bootstrapServers());
        return () -> bootstrapServers;
    }

    record DatabaseDetails(String getJdbcUrl, String getUsername, String getPassword)
            implements JdbcConnectionDetails {}
}
