package com.example.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What is in the topic, read past the service. */
final class OrderEvents {

    static final String TOPIC = "order.events";

    private OrderEvents() {}

    /** The events of an order that are in the topic now. */
    static List<ConsumerRecord<byte[], byte[]>> of(UUID orderId) {
        return TestServers.kafka().readAll(TOPIC, Duration.ofSeconds(30)).stream()
                .filter(record -> record.key() != null && new String(record.key(), UTF_8).equals(orderId.toString()))
                .toList();
    }
}
