package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.demo.DemoApplication;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A slice with a database only: no Kafka, no web, no beans of the application. */
@JdbcTest
@ContextConfiguration(classes = DemoApplication.class)
@AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
@AutoConfigureOutboxTester
class SliceIntegrationTests {

    @Autowired
    private OutboxTester outbox;

    @Test
    void theWriterIsThere(@Autowired OutboxWriter writer) {
        writer.write(OutboxMessage.to("order.events").type("Written").payload(new Payload(7)));

        assertThat(outbox.written()).singleElement().satisfies(message -> {
            assertThat(message.type()).isEqualTo("Written");
            assertThat(message.json()).isStrictlyEqualTo("{\"number\": 7}");
        });
    }

    @Test
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    void thereIsNoRelayToPublishWith() {
        assertThatThrownBy(outbox::publishAll)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("outbox.relay.enabled=false")
                .hasMessageContaining("slice");
    }

    record Payload(int number) {}
}
