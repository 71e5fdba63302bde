package com.example.demo;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import java.math.BigDecimal;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class OrderService {

    private final JdbcClient jdbc;
    private final OutboxWriter outbox;

    OrderService(JdbcClient jdbc, OutboxWriter outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    @Transactional
    public long place(String customer, BigDecimal amount) {
        long id = jdbc.sql("INSERT INTO orders (customer, amount) VALUES (?, ?) RETURNING id")
                .params(customer, amount)
                .query(Long.class)
                .single();
        outbox.write(OutboxMessage.to("order.events")
                .aggregate("order", id)
                .type("OrderPlaced")
                .payload(new OrderPlaced(id, customer, amount)));
        return id;
    }
}
