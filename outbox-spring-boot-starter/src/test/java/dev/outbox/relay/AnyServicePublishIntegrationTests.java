package dev.outbox.relay;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.consumer.IdempotentConsumer;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** However a service sets up its pool, its transactions and its start: messages are written and published. */
class AnyServicePublishIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    static Stream<List<String>> services() {
        return Stream.of(
                List.of("spring.datasource.hikari.auto-commit=false", "spring.datasource.hikari.maximum-pool-size=2"),
                List.of("spring.datasource.hikari.transaction-isolation=TRANSACTION_SERIALIZABLE"),
                List.of("spring.datasource.hikari.connection-init-sql="
                        + "SET default_transaction_isolation = 'repeatable read'"),
                List.of("spring.datasource.type=org.springframework.jdbc.datasource.SimpleDriverDataSource"),
                List.of("spring.main.lazy-initialization=true"),
                List.of(
                        "spring.kafka.producer.value-serializer=org.apache.kafka.common.serialization.StringSerializer",
                        "spring.kafka.producer.acks=0",
                        "spring.kafka.producer.compression-type=gzip",
                        "spring.kafka.producer.properties[partitioner.ignore.keys]=true",
                        "spring.kafka.client-id=orders"),
                List.of("outbox.relay.batch-size=1"),
                List.of("outbox.relay.batch-bytes=1B"),
                List.of("outbox.relay.publish-timeout=1s"));
    }

    @ParameterizedTest
    @MethodSource("services")
    void messagesArrive(List<String> properties) {
        Kafka kafka = TestServers.kafka();
        String topic = Topics.create(kafka, "any");
        TestService.Builder builder = TestService.onSharedServers().with("outbox.metrics.sample-interval", "100ms");
        for (String property : properties) {
            int at = property.indexOf('=');
            builder.with(property.substring(0, at), property.substring(at + 1));
        }
        try (TestService service = builder.start()) {
            List<UUID> ids = service.write(
                    to(topic).key("k").json("{}"),
                    to(topic).key("k").payload("x"),
                    to(topic).key("k"));
            await().atMost(BOUND).until(() -> service.pending() == 0);
            assertThat(Topics.eventIds(kafka, topic)).isEqualTo(ids);

            IdempotentConsumer consumer = service.bean(IdempotentConsumer.class);
            assertThat(consumer.once("c", ids.get(0), () -> {})).isTrue();
            assertThat(consumer.once("c", ids.get(0), () -> {})).isFalse();
        }
    }
}
