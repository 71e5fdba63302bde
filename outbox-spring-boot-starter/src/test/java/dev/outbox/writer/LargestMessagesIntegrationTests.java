package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxMessage;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the writer takes by default Kafka takes by default, whatever it is that makes the message large. */
class LargestMessagesIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int MAX = 960 * 1024;

    @Test
    void theLargestMessagesArePublished() {
        Kafka kafka = TestServers.kafka();
        String topic = Topics.create(kafka, "largest");
        OutboxMessage manyHeaders = to(topic);
        for (int i = 0; i < MAX / 11; i++) {
            manyHeaders.header("h", "");
        }
        try (TestService service = TestService.onSharedServers().start()) {
            List<UUID> ids = service.write(
                    to(topic).payload(new byte[MAX]),
                    to(topic).key("k".repeat(MAX)),
                    to(topic).header("h", new byte[MAX - 11]),
                    to(topic)
                            .aggregate("a".repeat(MAX / 4), "i".repeat(MAX / 4))
                            .type("t".repeat(MAX / 4)),
                    manyHeaders);

            await().atMost(BOUND).until(() -> service.pending() == 0);

            assertThat(Topics.eventIds(kafka, topic)).isEqualTo(ids);
        }
    }
}
