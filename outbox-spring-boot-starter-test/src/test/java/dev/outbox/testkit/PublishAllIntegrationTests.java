package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.example.demo.DemoApplication;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import dev.outbox.testkit.StoredMessage.State;
import dev.outbox.testservers.TestServers;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** What was committed is published when the test says so, not before, by the real relay to the real broker. */
@SpringBootTest(
        classes = DemoApplication.class,
        properties = {"outbox.relay.batch-size=10", "spring.datasource.hikari.auto-commit=false"})
@AutoConfigureOutboxTester
class PublishAllIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final String topic = "testkit-" + UUID.randomUUID();

    @Autowired
    private OutboxWriter writer;

    @Autowired
    private OutboxTester outbox;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private JdbcTemplate jdbc;

    @BeforeEach
    void clear() {
        outbox.clear();
        TestServers.kafka().createTopic(topic, 1, Map.of());
    }

    @Test
    void messagesStayPendingUntilTheTestPublishesThem() {
        List<UUID> ids = write(IntStream.range(0, 25)
                .mapToObj(i -> OutboxMessage.to(topic).key(i % 3).payload("value-" + i))
                .toArray(OutboxMessage[]::new));
        assertThat(outbox.pending()).extracting(StoredMessage::id).containsExactlyElementsOf(ids);
        assertThat(records()).isEmpty();

        List<StoredMessage> published = outbox.publishAll();

        assertThat(published).extracting(StoredMessage::id).containsExactlyElementsOf(ids);
        assertThat(published).extracting(StoredMessage::state).containsOnly(State.PUBLISHED);
        assertThat(outbox.published()).isEqualTo(published);
        assertThat(outbox.pending()).isEmpty();
        assertThat(records()).extracting(PublishAllIntegrationTests::eventId).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(outbox.publishAll()).isEmpty();
        assertThat(records()).hasSize(25);
    }

    @Test
    void aMessageWithoutItsTopicFailsTheTestWithAHint() {
        write(
                OutboxMessage.to(topic).type("Goes"),
                OutboxMessage.to("no-such-topic").type("Waits"));

        assertThatThrownBy(outbox::publishAll)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1 of 2")
                .hasMessageContaining("Waits -> no-such-topic")
                .hasMessageNotContaining("Goes")
                .hasMessageContaining("waits for its topic");
        assertThat(outbox.published()).extracting(StoredMessage::type).containsExactly("Goes");
    }

    @Test
    void aMessageThatCannotBePublishedFailsTheTestWithTheReason() {
        jdbc.execute((java.sql.Connection connection) -> {
            try (java.sql.Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO outbox_message (topic, event_type, headers) VALUES ('" + topic
                        + "', 'Odd', '{\"event_id\": \"mine\"}')");
            }
            connection.commit();
            return true;
        });

        assertThatThrownBy(outbox::publishAll)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Odd -> " + topic)
                .hasMessageContaining("after 1 attempt")
                .hasMessageContaining("event_id is reserved")
                .hasMessageNotContaining("waits for its topic");
        assertThat(outbox.pending()).singleElement().satisfies(message -> {
            assertThat(message.attempts()).isEqualTo(1);
            assertThat(message.lastError()).contains("event_id is reserved");
        });
    }

    @Test
    void aMessageIsPublishedAgainWithItsId() {
        write(
                OutboxMessage.to(topic).key("k").payload("one"),
                OutboxMessage.to(topic).key("k").payload("two"));
        StoredMessage first = outbox.publishAll().get(0);

        outbox.publishAgain(first);

        assertThat(records())
                .extracting(record -> new String(record.value(), StandardCharsets.UTF_8))
                .containsExactly("one", "two", "one");
        assertThat(eventId(records().get(2))).isEqualTo(first.id());
        assertThat(outbox.published()).hasSize(2);
    }

    @Test
    void onlyWhatWasPublishedCanBePublishedAgain() {
        write(OutboxMessage.to(topic).type("Pending"));

        List<StoredMessage> pending = outbox.pending();
        assertThatThrownBy(() -> outbox.publishAgain(pending.get(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Pending -> " + topic);
        assertThat(records()).isEmpty();
    }

    @Test
    void clearingIsCommittedWhateverThePoolDoes() {
        write(OutboxMessage.to(topic), OutboxMessage.to(topic));

        outbox.clear();

        assertThat(outbox.written()).isEmpty();
        assertThat(outbox.publishAll()).isEmpty();
        assertThat(records()).isEmpty();
    }

    @Test
    void theServicesOwnConsumerGetsEachEventOnce() {
        write(placed(1, "carol", "10"));
        StoredMessage first = outbox.publishAll().get(0);
        awaitTotal("carol", "10.00");

        outbox.publishAgain(first);
        // Has the same key, so it comes after the repeat.
        write(placed(1, "carol", "0.5"));
        outbox.publishAll();

        awaitTotal("carol", "10.50");
    }

    private static OutboxMessage placed(long orderId, String customer, String amount) {
        return OutboxMessage.to("order.events")
                .aggregate("order", orderId)
                .json("{\"orderId\": %d, \"customer\": \"%s\", \"amount\": %s}".formatted(orderId, customer, amount));
    }

    private void awaitTotal(String customer, String total) {
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(jdbc.queryForList(
                                "SELECT total FROM customer_total WHERE customer = ?", BigDecimal.class, customer))
                        .containsExactly(new BigDecimal(total)));
    }

    private List<UUID> write(OutboxMessage... messages) {
        return transaction.execute(status -> writer.writeAll(List.of(messages)));
    }

    private List<ConsumerRecord<byte[], byte[]>> records() {
        return TestServers.kafka().readAll(topic, BOUND);
    }

    private static UUID eventId(ConsumerRecord<byte[], byte[]> record) {
        return UUID.fromString(
                new String(record.headers().lastHeader("event_id").value(), StandardCharsets.UTF_8));
    }
}
