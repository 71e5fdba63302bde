package com.example.orders.order;

import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class OrderRepository {

    private static final String INSERT = """
            INSERT INTO orders (id, customer_id, amount, status)
            VALUES (:id, :customerId, :amount, :status)""";

    private static final String FIND = """
            SELECT id, customer_id, amount, status
            FROM orders
            WHERE id = :id""";

    /** Of two at the same time, the second waits for the first and then matches no row. */
    private static final String CANCEL = """
            UPDATE orders SET status = 'CANCELLED'
            WHERE id = :id AND status = 'PLACED'
            RETURNING id, customer_id, amount, status""";

    private final JdbcClient jdbc;

    OrderRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Order save(Order order) {
        jdbc.sql(INSERT)
                .param("id", order.id())
                .param("customerId", order.customerId())
                .param("amount", order.amount())
                .param("status", order.status().name())
                .update();
        return order;
    }

    Optional<Order> find(UUID id) {
        return jdbc.sql(FIND).param("id", id).query(Order.class).optional();
    }

    /** Cancels a placed order and returns it; empty when there is none, or it was cancelled before. */
    Optional<Order> cancel(UUID id) {
        return jdbc.sql(CANCEL).param("id", id).query(Order.class).optional();
    }
}
