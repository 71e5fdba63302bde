package dev.outbox.relay;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** From a transaction to a topic. */
class PublishIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Kafka kafka = TestServers.kafka();
    private final String topic = Topics.create(kafka, "publish");

    @Test
    void aCommittedMessageReachesKafka() {
        try (TestService service = TestService.onSharedServers().start()) {
            List<UUID> ids = service.write(
                    to(topic).aggregate("order", 17).type("OrderCreated").json("{\"a\":1}"));

            await().atMost(BOUND).until(() -> service.pending() == 0);
            ConsumerRecord<byte[], byte[]> record = Topics.read(kafka, topic).get(0);
            assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("17");
            assertThat(Topics.value(record)).isEqualTo("{\"a\":1}");
            assertThat(Topics.header(record, "event_id")).isEqualTo(ids.get(0).toString());
        }
    }
}
