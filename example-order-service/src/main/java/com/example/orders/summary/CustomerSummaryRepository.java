package com.example.orders.summary;

import java.math.BigDecimal;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class CustomerSummaryRepository {

    private static final String ADD = """
            INSERT INTO customer_summary AS summary (customer_id, order_count, total)
            VALUES (:customerId, :count, :amount)
            ON CONFLICT (customer_id) DO UPDATE
            SET order_count = summary.order_count + excluded.order_count,
                total = summary.total + excluded.total""";

    private static final String FIND = """
            SELECT customer_id, order_count AS count, total
            FROM customer_summary
            WHERE customer_id = :customerId""";

    private final JdbcClient jdbc;

    CustomerSummaryRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void add(OrderEvent order) {
        change(order.customerId(), 1, order.amount());
    }

    void subtract(OrderEvent order) {
        change(order.customerId(), -1, order.amount().negate());
    }

    private void change(String customerId, int count, BigDecimal amount) {
        jdbc.sql(ADD)
                .param("customerId", customerId)
                .param("count", count)
                .param("amount", amount)
                .update();
    }

    Optional<CustomerSummary> find(String customerId) {
        return jdbc.sql(FIND)
                .param("customerId", customerId)
                .query(CustomerSummary.class)
                .optional();
    }
}
