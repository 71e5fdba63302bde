package com.example.compatibility;

import dev.outbox.consumer.IdempotentConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Ships each order once, however often Kafka delivers its event. */
@Component
class Shipping {

    private final JdbcClient jdbc;
    private final IdempotentConsumer idempotentConsumer;

    Shipping(JdbcClient jdbc, IdempotentConsumer idempotentConsumer) {
        this.jdbc = jdbc;
        this.idempotentConsumer = idempotentConsumer;
    }

    @KafkaListener(topics = "${topic}", groupId = "shipping-${topic}")
    void on(ConsumerRecord<String, String> event) {
        idempotentConsumer.once("shipping", event, () -> ship(event.value()));
    }

    private void ship(String event) {
        jdbc.sql("INSERT INTO shipments (event) VALUES (?)").params(event).update();
    }
}
