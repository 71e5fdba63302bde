package com.example.compatibility;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Saves orders and their events together. */
@Service
public class Orders {

    private final JdbcClient jdbc;
    private final OutboxWriter outbox;
    private final String topic;

    public Orders(JdbcClient jdbc, OutboxWriter outbox, @Value("${topic}") String topic) {
        this.jdbc = jdbc;
        this.outbox = outbox;
        this.topic = topic;
    }

    /** Saves an order and returns the id of its event. */
    @Transactional
    public UUID place(String customer, int number) {
        jdbc.sql("INSERT INTO orders (customer, number) VALUES (?, ?)")
                .params(customer, number)
                .update();
        return outbox.write(OutboxMessage.to(topic)
                .aggregate("customer", customer)
                .type("OrderPlaced")
                .header("tenant", "north")
                .payload(new OrderPlaced(customer, number)));
    }

    /** Does the same and fails afterwards. */
    @Transactional
    public void placeAndFail(String customer, int number) {
        place(customer, number);
        throw new IllegalStateException("after the write");
    }
}
