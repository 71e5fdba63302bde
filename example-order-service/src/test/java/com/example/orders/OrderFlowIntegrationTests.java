package com.example.orders;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.testkit.AutoConfigureOutboxTester;
import dev.outbox.testkit.OutboxTester;
import dev.outbox.testkit.StoredMessage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.micrometer.metrics.test.autoconfigure.AutoConfigureMetrics;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * From the HTTP request to the summary that the service's own consumer makes from Kafka. Contexts with a
 * running consumer share one consumer group, so each is closed before there is another.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureRestTestClient
@AutoConfigureMetrics
@AutoConfigureOutboxTester(relayAutoStartup = true)
@Import(DevServers.class)
@DirtiesContext
class OrderFlowIntegrationTests {

    /** Each test has a customer of its own, so that they may share the servers. */
    private final String customer = "customer-" + UUID.randomUUID();

    @Autowired
    private RestTestClient http;

    @Autowired
    private OutboxTester outbox;

    @Autowired
    private KafkaTemplate<String, String> kafka;

    @Test
    void anOrderFlowsThroughToTheSummary() {
        OrderView first = place("42.50");
        OrderView second = place("7.5");

        assertThat(get(first.id())).isEqualTo(first);
        assertThat(first).isEqualTo(new OrderView(first.id(), customer, new BigDecimal("42.50"), "PLACED"));
        awaitSummary(customer, 2, "50.00");

        assertThat(cancel(second.id()).status()).isEqualTo("CANCELLED");
        assertThat(get(second.id()).status()).isEqualTo("CANCELLED");
        awaitSummary(customer, 1, "42.50");
    }

    @Test
    void theEventsOfAnOrderArriveInOrderWithItsIdAsKey() {
        OrderView order = place("42.50");
        cancel(order.id());

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(OrderEvents.of(order.id()))
                        .extracting(record -> header(record, "event_type"))
                        .containsExactly("OrderCreated", "OrderCancelled"));
        ConsumerRecord<byte[], byte[]> created = OrderEvents.of(order.id()).get(0);
        assertThat(created.value())
                .asString()
                .isEqualTo(
                        "{\"orderId\":\"%s\",\"customerId\":\"%s\",\"amount\":42.50}".formatted(order.id(), customer));
        assertThat(header(created, "aggregate_type")).isEqualTo("order");
        assertThat(header(created, "aggregate_id")).isEqualTo(order.id().toString());
    }

    @Test
    void ordersPlacedAtTheSameTimeAreAllCounted() throws Exception {
        List<OrderView> orders = inParallel(40, () -> place("1.25"));

        assertThat(orders).extracting(OrderView::id).doesNotHaveDuplicates();
        awaitSummary(customer, 40, "50.00");
    }

    @Test
    void cancellingAgainAndAtTheSameTimeGivesOneEvent() throws Exception {
        OrderView kept = place("5");
        OrderView order = place("8");

        List<OrderView> answers = inParallel(8, () -> cancel(order.id()));

        assertThat(answers).extracting(OrderView::status).containsOnly("CANCELLED");
        assertThat(outbox.written())
                .filteredOn(StoredMessage::aggregateId, order.id().toString())
                .extracting(StoredMessage::type)
                .containsExactly("OrderCreated", "OrderCancelled");
        assertThat(get(kept.id()).status()).isEqualTo("PLACED");
        awaitSummary(customer, 1, "5.00");
    }

    @Test
    void aRecordThatCannotBeHandledDoesNotHoldUpTheOthers() {
        OrderView order = place("42.50");
        awaitSummary(customer, 1, "42.50");
        int partition = OrderEvents.of(order.id()).get(0).partition();
        String event = "{\"customerId\":\"%s\",\"amount\":1.00}".formatted(customer);
        String id = UUID.randomUUID().toString();

        send(partition, event, Map.of("event_type", "OrderCreated"));
        send(partition, event, Map.of("event_type", "OrderCreated", "event_id", "no-uuid"));
        send(partition, event, Map.of("event_type", "OrderAdmired", "event_id", id));
        send(partition, event, Map.of("event_id", id));
        send(partition, "not JSON", Map.of("event_type", "OrderCreated", "event_id", id));
        send(partition, "{}", Map.of("event_type", "OrderCreated", "event_id", id));
        awaitConsumed(partition);

        assertSummary(customer, 1, "42.50");
    }

    @Test
    void aRefusedOrderLeavesNoEvent() {
        http.post()
                .uri("/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .body("{\"customerId\":\"%s\",\"amount\":-1}".formatted(customer))
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("amount");

        assertThat(outbox.written()).extracting(StoredMessage::text).noneMatch(payload -> payload.contains(customer));
    }

    @Test
    void unknownOrdersAreNotFoundAndUnknownCustomersHaveNoOrders() {
        String unknown = UUID.randomUUID().toString();

        http.get().uri("/orders/{id}", unknown).exchange().expectStatus().isNotFound();
        http.post()
                .uri("/orders/{id}/cancel", unknown)
                .exchange()
                .expectStatus()
                .isNotFound();
        assertSummary("nobody", 0, "0.00");
    }

    @Test
    void healthAndMetricsAreThere() {
        place("1");
        awaitSummary(customer, 1, "1.00");

        http.get()
                .uri("/actuator/health")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.status")
                .isEqualTo("UP");
        http.get()
                .uri("/actuator/prometheus")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .value(metrics -> assertThat(metrics).contains("outbox_events_published_total"));
    }

    private OrderView place(String amount) {
        return http.post()
                .uri("/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .body("{\"customerId\":\"%s\",\"amount\":%s}".formatted(customer, amount))
                .exchange()
                .expectStatus()
                .isCreated()
                .expectBody(OrderView.class)
                .returnResult()
                .getResponseBody();
    }

    private OrderView get(UUID id) {
        return http.get()
                .uri("/orders/{id}", id)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(OrderView.class)
                .returnResult()
                .getResponseBody();
    }

    private OrderView cancel(UUID id) {
        return http.post()
                .uri("/orders/{id}/cancel", id)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(OrderView.class)
                .returnResult()
                .getResponseBody();
    }

    private void awaitSummary(String customerId, long count, String total) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertSummary(customerId, count, total));
    }

    private void assertSummary(String customerId, long count, String total) {
        SummaryView summary = http.get()
                .uri("/customers/{id}/summary", customerId)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(SummaryView.class)
                .returnResult()
                .getResponseBody();
        assertThat(summary).isEqualTo(new SummaryView(customerId, count, new BigDecimal(total)));
    }

    /** Waits until the consumer has handled everything that is in the partition now: a last event shows it. */
    private void awaitConsumed(int partition) {
        String marker = "marker-" + UUID.randomUUID();
        send(
                partition,
                "{\"customerId\":\"%s\",\"amount\":1.00}".formatted(marker),
                Map.of(
                        "event_type",
                        "OrderCreated",
                        "event_id",
                        UUID.randomUUID().toString()));
        awaitSummary(marker, 1, "1.00");
    }

    private void send(int partition, String value, Map<String, String> headers) {
        ProducerRecord<String, String> record = new ProducerRecord<>(OrderEvents.TOPIC, partition, null, value);
        headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
        kafka.send(record).join();
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    private static <T> List<T> inParallel(int times, Callable<T> task) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(8);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> result : executor.invokeAll(Collections.nCopies(times, task))) {
                results.add(result.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    private record OrderView(UUID id, String customerId, BigDecimal amount, String status) {}

    private record SummaryView(String customerId, long count, BigDecimal total) {}
}
