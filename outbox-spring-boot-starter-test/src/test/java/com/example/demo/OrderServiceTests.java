package com.example.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testkit.AutoConfigureOutboxTester;
import dev.outbox.testkit.OutboxTester;
import dev.outbox.testkit.StoredMessage;
import java.math.BigDecimal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest
@AutoConfigureOutboxTester
class OrderServiceTests {

    @Autowired
    private OrderService orders;

    @Autowired
    private OutboxTester outbox;

    @BeforeEach
    void emptyOutbox() {
        outbox.clear();
    }

    @Test
    @Transactional
    void anOrderWritesItsEvent() {
        long id = orders.place("alice", new BigDecimal("42.50"));

        StoredMessage event = outbox.written().get(0);
        assertThat(event.topic()).isEqualTo("order.events");
        assertThat(event.type()).isEqualTo("OrderPlaced");
        assertThat(event.key()).isEqualTo(Long.toString(id));
        assertThat(event.json()).extractingPath("$.customer").isEqualTo("alice");
    }

    @Test
    void theEventReachesKafka() {
        orders.place("alice", new BigDecimal("42.50"));

        assertThat(outbox.publishAll()).extracting(StoredMessage::type).containsExactly("OrderPlaced");
    }
}
