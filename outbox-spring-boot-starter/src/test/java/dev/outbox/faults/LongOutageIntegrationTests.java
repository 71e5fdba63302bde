package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * An outage that lasts a hundred times as long as all attempts of a message would, under load: no message has used one,
 * and all are published afterwards, without help.
 */
@Tag("faults-long")
class LongOutageIntegrationTests {

    /** Half an hour, scaled to attempts that follow each other within 10 ms and not within minutes. */
    private static final Duration OUTAGE = Duration.ofSeconds(12);

    private final OwnKafka kafka = FaultBroker.healthy();
    private final Stage stage = Stage.on(kafka);

    @AfterEach
    void close() {
        stage.close();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "TOPIC_DELETED") // which takes what was published along
    void noMessageIsToBlameForIt(Outage outage) {
        String topic = Topics.create(kafka, "outage", 3, Map.of());
        try (RelayLogLines log = RelayLogLines.record();
                Load load = new Load(stage.writer(), topic, 20);
                TestService relay = stage.relay("relay")
                        .with("outbox.relay.publish-timeout", "4s")
                        .with("outbox.relay.retry.max-attempts", 3)
                        .with("outbox.relay.retry.initial-delay", "10ms")
                        .with("outbox.relay.retry.max-delay", "10ms")
                        .with(Outcomes.Recording.class)
                        .start()) {
            load.write(200);
            stage.awaitDrained();
            outage.begin(kafka, topic);
            try {
                load.write(200);
                outage.awaitNoticed(log);
                load.write(200);
                await("the outage lasts")
                        .pollDelay(OUTAGE)
                        .atMost(OUTAGE.plus(Stage.BOUND))
                        .until(() -> true);
                load.write(200);
                assertThat(stage.writer().pending()).isGreaterThanOrEqualTo(600);
            } finally {
                outage.end(kafka, topic);
            }
            stage.awaitDrained();
            load.assertPublishedInOrder(kafka);
            Outcomes outcomes = relay.bean(Outcomes.class);
            assertThat(outcomes.failed).isEmpty();
            assertThat(outcomes.dead).isEmpty();
        }
    }
}
