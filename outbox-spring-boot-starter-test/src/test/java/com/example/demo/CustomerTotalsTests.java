package com.example.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxHeaders;
import java.math.BigDecimal;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest(
        properties = {
            "outbox.relay.enabled=false",
            "spring.kafka.admin.auto-create=false",
            "spring.kafka.listener.auto-startup=false"
        })
@Transactional
class CustomerTotalsTests {

    @Autowired
    private CustomerTotals totals;

    @Autowired
    private JdbcClient jdbc;

    @Test
    void anEventThatIsDeliveredTwiceCountsOnce() {
        ConsumerRecord<String, String> record = new ConsumerRecord<>(
                "order.events", 0, 0, "42", "{\"orderId\": 42, \"customer\": \"bob\", \"amount\": 42.50}");
        record.headers()
                .add(OutboxHeaders.EVENT_ID, UUID.randomUUID().toString().getBytes(UTF_8));

        totals.on(record);
        totals.on(record);

        assertThat(jdbc.sql("SELECT total FROM customer_total WHERE customer = 'bob'")
                        .query(BigDecimal.class)
                        .single())
                .isEqualByComparingTo("42.50");
    }
}
