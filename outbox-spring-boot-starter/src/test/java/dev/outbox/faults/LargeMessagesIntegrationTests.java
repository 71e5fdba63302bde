package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.RelayProcess;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A batch is bounded in bytes, too: many large messages get through a relay with a small heap. */
class LargeMessagesIntegrationTests {

    private static final int SIZE = 2_000_000;

    private final OwnKafka kafka = FaultBroker.healthy();
    private final Stage stage = Stage.on(kafka);
    private final String topic =
            Topics.create(kafka, "large", 3, Map.of("max.message.bytes", Integer.toString(SIZE + 10_000)));

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void aBacklogOfLargeMessagesDrainsWithASmallHeap() {
        drain(120);
    }

    @Test
    @Tag("faults-long")
    void aLongBacklogOfLargeMessagesDrainsWithASmallHeap() {
        drain(500);
    }

    private void drain(int messages) {
        stage.writer()
                .jdbc()
                .update(
                        "INSERT INTO outbox_message (topic, key, payload_bytes)"
                                + " SELECT ?, n % 7, convert_to(repeat('x', ?), 'UTF8') FROM generate_series(1, ?) n",
                        topic, SIZE, messages);
        // 256 MB, as all relays that run in a process of their own
        try (RelayProcess relay = RelayProcess.start(
                "large",
                stage.relay("large").with("spring.kafka.producer.properties.max.request.size", SIZE + 10_000))) {
            relay.awaitReady();

            await().atMost(Stage.BOUND.multipliedBy(2))
                    .until(() -> stage.writer().pending() == 0);

            assertThat(relay.log()).doesNotContain("OutOfMemoryError");
            assertThat(relay.published()).isEqualTo(messages);
        }
        assertThat(stage.rows(topic))
                .hasSize(messages)
                .allSatisfy(row -> assertThat(row.get("attempts")).isEqualTo(0));
    }
}
