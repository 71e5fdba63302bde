package dev.outbox.faults;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxMessage;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An outage meets the third of five messages of a key, or all of them in one batch: they arrive in order when it is
 * over, and it has cost none of them an attempt. One attempt would make a dead letter here.
 */
@Tag("faults-long")
class OutageOrderIntegrationTests {

    private final OwnKafka kafka = FaultBroker.healthy();
    private final Stage stage = Stage.on(kafka);
    private final String topic = Topics.create(kafka, "outage");

    @AfterEach
    void close() {
        stage.close();
    }

    @ParameterizedTest
    @EnumSource
    void itMeetsTheThirdMessage(Outage outage) {
        try (RelayLogLines log = RelayLogLines.record();
                TestService relay = relay().start()) {
            write(1);
            write(2);
            stage.awaitDrained();
            during(outage, () -> {
                write(3);
                outage.awaitNoticed(log);
                write(4);
                write(5);
            });
            stage.awaitDrained();
            // A topic takes its records along.
            assertInOrder(outage == Outage.TOPIC_DELETED ? List.of("3", "4", "5") : List.of("1", "2", "3", "4", "5"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void itMeetsAllOfThemInOneBatch(Outage outage) {
        try (RelayLogLines log = RelayLogLines.record();
                TestService relay = relay().start()) {
            stage.writer().write(to(topic).key("warm-up").payload("0"));
            stage.awaitDrained();
            during(outage, () -> {
                write(1, 2, 3, 4, 5);
                outage.awaitNoticed(log);
            });
            stage.awaitDrained();
            assertInOrder(List.of("1", "2", "3", "4", "5"));
        }
    }

    private void during(Outage outage, Runnable work) {
        outage.begin(kafka, topic);
        try {
            work.run();
        } finally {
            outage.end(kafka, topic);
        }
    }

    private TestService.Builder relay() {
        return stage.relay("relay")
                .with("outbox.relay.publish-timeout", "4s")
                .with("outbox.relay.retry.max-attempts", 1);
    }

    private void write(int... numbers) {
        stage.writer()
                .write(Arrays.stream(numbers)
                        .mapToObj(number -> to(topic).key("k").payload(Integer.toString(number)))
                        .toArray(OutboxMessage[]::new));
    }

    private void assertInOrder(List<String> numbers) {
        assertThat(Topics.firstOccurrences(Topics.read(kafka, topic), Topics::value)
                        .get("k"))
                .isEqualTo(numbers);
        assertThat(stage.rows(topic))
                .allSatisfy(row -> assertThat(row.get("attempts")).isEqualTo(0));
    }
}
