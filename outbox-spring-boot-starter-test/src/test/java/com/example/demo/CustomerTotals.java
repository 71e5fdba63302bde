package com.example.demo;

import dev.outbox.consumer.IdempotentConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

@Component
class CustomerTotals {

    private final IdempotentConsumer idempotentConsumer;
    private final JdbcClient jdbc;
    private final JsonMapper json;

    CustomerTotals(IdempotentConsumer idempotentConsumer, JdbcClient jdbc, JsonMapper json) {
        this.idempotentConsumer = idempotentConsumer;
        this.jdbc = jdbc;
        this.json = json;
    }

    @KafkaListener(topics = "order.events", groupId = "customer-totals")
    void on(ConsumerRecord<String, String> record) {
        OrderPlaced order = json.readValue(record.value(), OrderPlaced.class);
        idempotentConsumer.once("customer-totals", record, () -> add(order));
    }

    private void add(OrderPlaced order) {
        jdbc.sql("""
                        INSERT INTO customer_total AS t (customer, total) VALUES (?, ?)
                        ON CONFLICT (customer) DO UPDATE SET total = t.total + excluded.total
                        """).params(order.customer(), order.amount()).update();
    }
}
