package com.example.compatibility;

import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The service on a database and a topic, from its start to its stop. */
final class StartedService implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final String topic;

    private StartedService(ConfigurableApplicationContext context, String topic) {
        this.context = context;
        this.topic = topic;
    }

    /** A topic of one partition, so that a later record has been received after all earlier ones. */
    static String newTopic() {
        String topic = "orders-" + UUID.randomUUID();
        TestServers.kafka().createTopic(topic, 1, Map.of());
        return topic;
    }

    static StartedService start(Postgres postgres, String database, String topic, String... properties) {
        Kafka kafka = TestServers.kafka();
        ConfigurableApplicationContext context = new SpringApplicationBuilder(CompatibilityService.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties(
                        "spring.datasource.url=" + database,
                        "spring.datasource.username=" + postgres.user(),
                        "spring.datasource.password=" + postgres.password(),
                        "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                        "topic=" + topic)
                .properties(properties)
                .run();
        return new StartedService(context, topic);
    }

    Orders orders() {
        return bean(Orders.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    <T> T query(String sql, Class<T> type) {
        return bean(JdbcClient.class).sql(sql).query(type).single();
    }

    /** What has been shipped, in the order in which it was. */
    List<String> shipments() {
        return bean(JdbcClient.class)
                .sql("SELECT event FROM shipments ORDER BY id")
                .query(String.class)
                .list();
    }

    String topic() {
        return topic;
    }

    /** All that has been published. */
    List<ConsumerRecord<byte[], byte[]>> records() {
        return TestServers.kafka().readAll(topic, Duration.ofMinutes(1));
    }

    @Override
    public void close() {
        context.close();
    }
}
