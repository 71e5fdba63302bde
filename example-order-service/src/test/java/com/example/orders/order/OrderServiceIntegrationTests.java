package com.example.orders.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.example.orders.DevServers;
import dev.outbox.testkit.AutoConfigureOutboxTester;
import dev.outbox.testkit.OutboxTester;
import dev.outbox.testkit.StoredMessage;
import java.math.BigDecimal;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;

/** Which events the service writes. Nothing leaves the database, and everything rolls back. */
@SpringBootTest(
        webEnvironment = WebEnvironment.NONE,
        properties = {"spring.kafka.admin.auto-create=false", "spring.kafka.listener.auto-startup=false"})
@AutoConfigureOutboxTester
@Transactional
@Import(DevServers.class)
class OrderServiceIntegrationTests {

    @Autowired
    private OrderService orders;

    @Autowired
    private OutboxTester outbox;

    @Test
    void anOrderWritesItsEvent() {
        Order order = orders.place(new PlaceOrder("alice", new BigDecimal("42.50")));

        assertThat(outbox.written()).singleElement().satisfies(event -> {
            assertThat(event.topic()).isEqualTo("order.events");
            assertThat(event.type()).isEqualTo("OrderCreated");
            assertThat(event.key()).isEqualTo(order.id().toString());
            assertThat(event.json()).extractingPath("$.amount").isEqualTo(42.50);
        });
    }

    @Test
    void aCancellationIsTheSecondEventOfItsOrder() {
        Order order = orders.place(new PlaceOrder("alice", new BigDecimal("42.50")));
        orders.cancel(order.id());
        orders.cancel(order.id());

        assertThat(outbox.written())
                .extracting(StoredMessage::type, StoredMessage::key)
                .containsExactly(
                        tuple("OrderCreated", order.id().toString()),
                        tuple("OrderCancelled", order.id().toString()));
    }

    @Test
    void anOrderThatIsNotThereIsNotCancelled() {
        orders.cancel(UUID.randomUUID());

        assertThat(outbox.written()).isEmpty();
    }
}
