package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.demo.DemoApplication;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxRelayException;
import dev.outbox.OutboxWriter;
import dev.outbox.testkit.StoredMessage.Header;
import dev.outbox.testkit.StoredMessage.State;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** What was written is seen in the transaction of the test, which rolls back; without a broker. */
@SpringBootTest(
        classes = DemoApplication.class,
        properties = {
            SharedServers.NO_BROKER,
            "spring.kafka.bootstrap-servers=localhost:1",
            "spring.kafka.admin.auto-create=false",
            "spring.kafka.listener.auto-startup=false",
            "spring.datasource.hikari.auto-commit=false"
        })
@AutoConfigureOutboxTester
@Transactional
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WrittenIntegrationTests {

    @Autowired
    private OutboxWriter writer;

    @Autowired
    private OutboxTester outbox;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    @Order(1)
    void whatTheTestsTransactionWroteIsSeen() {
        UUID first = writer.write(OutboxMessage.to("order.events")
                .aggregate("order", 42)
                .type("OrderPlaced")
                .header("tenant", "acme")
                .header("tenant", "Größe")
                .header("signature", new byte[] {(byte) 0xde, (byte) 0xad})
                .payload(Map.of("amount", 42.5)));
        UUID second = writer.write(OutboxMessage.to("other").payload("plain text"));

        assertThat(outbox.written()).extracting(StoredMessage::id).containsExactly(first, second);
        StoredMessage message = outbox.written().get(0);
        assertThat(message.topic()).isEqualTo("order.events");
        assertThat(message.key()).isEqualTo("42");
        assertThat(message.aggregateType()).isEqualTo("order");
        assertThat(message.aggregateId()).isEqualTo("42");
        assertThat(message.type()).isEqualTo("OrderPlaced");
        assertThat(message.contentType()).isEqualTo("application/json");
        assertThat(message.text()).isEqualTo("{\"amount\":42.5}");
        assertThat(message.json()).extractingPath("$.amount").isEqualTo(42.5);
        assertThat(message.headers()).extracting(Header::name).containsExactly("tenant", "tenant", "signature");
        assertThat(message.headers().get(2).value()).containsExactly(0xde, 0xad);
        assertThat(message.header("tenant")).isEqualTo("Größe");
        assertThat(message.header("no-such-header")).isNull();
        assertThat(message.createdAt()).isNotNull();
        assertThat(message.publishedAt()).isNull();
        assertThat(message.attempts()).isZero();
        assertThat(message.state()).isEqualTo(State.PENDING);
        assertThat(outbox.pending()).hasSize(2);
        assertThat(outbox.published()).isEmpty();
        StoredMessage text = outbox.written().get(1);
        assertThat(text.key()).isNull();
        assertThat(text.type()).isNull();
        assertThat(text.contentType()).isEqualTo("text/plain;charset=UTF-8");
        assertThat(text.text()).isEqualTo("plain text");
        assertThat(text.sequence()).isGreaterThan(message.sequence());
    }

    @Test
    @Order(2)
    void andRollsBackWithIt() {
        assertThat(outbox.written()).isEmpty();
    }

    @Test
    void bytesAndTombstonesAreSeenAsTheyAre() {
        writer.write(OutboxMessage.to("order.events").payload(new byte[] {0, 1, (byte) 0xff}));
        writer.write(OutboxMessage.to("order.events").key("k"));

        StoredMessage bytes = outbox.written().get(0);
        assertThat(bytes.payload()).containsExactly(0, 1, 0xff);
        assertThat(bytes.contentType()).isEqualTo("application/octet-stream");
        StoredMessage tombstone = outbox.written().get(1);
        assertThat(tombstone.payload()).isNull();
        assertThat(tombstone.text()).isNull();
        assertThat(tombstone.contentType()).isNull();
        assertThatThrownBy(tombstone::json).isInstanceOf(AssertionError.class).hasMessageContaining("tombstone");
    }

    @Test
    void retriesAndDeadMessagesAreSeen() {
        writer.write(OutboxMessage.to("order.events").key("1"));
        writer.write(OutboxMessage.to("order.events").key("2"));
        writer.write(OutboxMessage.to("order.events").key("3"));
        jdbc.update(
                "UPDATE outbox_message SET attempts = 2, last_error = 'why', next_attempt_at = now() WHERE key = '1'");
        jdbc.update("UPDATE outbox_message SET dead_at = now() WHERE key = '2'");
        jdbc.update("UPDATE outbox_message SET published_at = now() WHERE key = '3'");

        assertThat(outbox.written())
                .extracting(StoredMessage::state)
                .containsExactly(State.PENDING, State.DEAD, State.PUBLISHED);
        assertThat(outbox.pending()).singleElement().satisfies(message -> {
            assertThat(message.attempts()).isEqualTo(2);
            assertThat(message.lastError()).isEqualTo("why");
            assertThat(message.nextAttemptAt()).isNotNull();
        });
        assertThat(outbox.published()).extracting(StoredMessage::key).containsExactly("3");
    }

    @Test
    void clearingIsPartOfTheTestsTransactionToo() {
        writer.write(OutboxMessage.to("order.events"));
        jdbc.update("INSERT INTO processed_event (consumer, event_id) VALUES ('c', gen_random_uuid())");

        outbox.clear();

        assertThat(outbox.written()).isEmpty();
        assertThat(jdbc.queryForObject("SELECT count(*) FROM processed_event", Long.class))
                .isZero();
    }

    @Test
    void headersThatTheRelayCannotReadAreReported() {
        jdbc.update("INSERT INTO outbox_message (topic, headers) VALUES ('order.events', '[[1, {}]]')");
        String id = jdbc.queryForObject("SELECT message_id FROM outbox_message", String.class);

        assertThatThrownBy(outbox::written)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(id)
                .hasMessageContaining("headers");
    }

    @Test
    void publishingWhatIsNotCommittedIsRefused() {
        writer.write(OutboxMessage.to("order.events"));

        assertThatThrownBy(outbox::publishAll)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@Transactional")
                .hasMessageContaining("committed");
        List<StoredMessage> written = outbox.written();
        assertThatThrownBy(() -> outbox.publishAgain(written.get(0))).isInstanceOf(IllegalStateException.class);
        assertThat(outbox.pending()).hasSize(1);
    }

    @Test
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    void publishingWithoutABrokerSaysSo(@Autowired TransactionTemplate transaction) {
        transaction.executeWithoutResult(status -> writer.write(OutboxMessage.to("order.events")));
        try {
            assertThatThrownBy(outbox::publishAll)
                    .isInstanceOf(OutboxRelayException.class)
                    .hasMessageContaining("Kafka does not answer");
            assertThat(outbox.pending()).hasSize(1);
        } finally {
            outbox.clear();
        }
    }
}
