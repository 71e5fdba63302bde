package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.testkit.AutoConfigureOutboxTester;
import dev.outbox.testkit.OutboxTester;
import dev.outbox.testkit.StoredMessage;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

/** With the relay switched off the service takes orders, and their events wait in the outbox. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"outbox.relay.enabled=false", "spring.kafka.listener.auto-startup=false"})
@AutoConfigureRestTestClient
@AutoConfigureOutboxTester
@Import(DevServers.class)
class RelayOffIntegrationTests {

    @Autowired
    private RestTestClient http;

    @Autowired
    private OutboxTester outbox;

    @Test
    void theEventStaysInTheOutbox() {
        PlacedOrder order = http.post()
                .uri("/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .body("{\"customerId\":\"alice\",\"amount\":42.50}")
                .exchange()
                .expectStatus()
                .isCreated()
                .expectBody(PlacedOrder.class)
                .returnResult()
                .getResponseBody();

        // Four times the relay's poll interval.
        await().during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(outbox.pending())
                        .extracting(StoredMessage::aggregateId)
                        .containsExactly(order.id().toString()));
        assertThat(OrderEvents.of(order.id())).isEmpty();
    }

    private record PlacedOrder(UUID id) {}
}
