package com.example.orders.summary;

import dev.outbox.consumer.IdempotentConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps the customer summaries up to date. Kafka may deliver an event more than once; the idempotent
 * consumer sees to it that each is counted once.
 */
@Component
class OrderEventListener {

    private static final String CONSUMER = "order-summary";

    private final IdempotentConsumer idempotentConsumer;
    private final CustomerSummaryRepository summaries;
    private final JsonMapper json;

    OrderEventListener(IdempotentConsumer idempotentConsumer, CustomerSummaryRepository summaries, JsonMapper json) {
        this.idempotentConsumer = idempotentConsumer;
        this.summaries = summaries;
        this.json = json;
    }

    @KafkaListener(topics = "order.events", groupId = CONSUMER)
    void on(ConsumerRecord<String, String> record, @Header(name = "event_type", defaultValue = "") String eventType) {
        switch (eventType) {
            case "OrderCreated" -> once(record, summaries::add);
            case "OrderCancelled" -> once(record, summaries::subtract);
            default -> {
                // Not of interest here. New types may come at any time.
            }
        }
    }

    private void once(ConsumerRecord<String, String> record, Consumer<OrderEvent> effect) {
        OrderEvent event = json.readValue(record.value(), OrderEvent.class);
        idempotentConsumer.once(CONSUMER, record, () -> effect.accept(event));
    }
}
