package dev.outbox.faults;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxOperations;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Five messages of a key, of which the third is at fault: the consumer gets 1, 2, 4, 5, or 1, 2 until an operator acts.
 */
class StrictOrderIntegrationTests {

    private final OwnKafka kafka = FaultBroker.healthy();
    private final Stage stage = Stage.on(kafka);

    @AfterEach
    void close() {
        stage.close();
    }

    static Stream<Arguments> eachFaultInOneBatchAndInSeveral() {
        return Stream.of(BadMessage.values())
                .flatMap(fault -> Stream.of(Arguments.of(fault, true), Arguments.of(fault, false)));
    }

    @ParameterizedTest
    @MethodSource("eachFaultInOneBatchAndInSeveral")
    void theKeyGoesOnWithoutTheMessageAtFault(BadMessage fault, boolean oneBatch) {
        String topic = fault.topic(kafka);
        if (oneBatch) {
            write(fault, topic, 1, 2, 3, 4, 5);
        }
        try (TestService relay =
                relay(fault, oneBatch).with(Outcomes.Recording.class).start()) {
            if (!oneBatch) {
                write(fault, topic, 1, 2, 3, 4, 5);
            }
            stage.awaitDrained();
            assertThat(numbers(topic)).containsExactly("1", "2", "4", "5");
            assertThat(attempts(topic)).containsExactly(0, 0, 2, 0, 0);
            Outcomes outcomes = relay.bean(Outcomes.class);
            outcomes.awaitDead(1);
            assertThat(outcomes.dead)
                    .hasSize(1)
                    .allSatisfy(failure -> assertThat(failure.reason()).isEqualTo(fault.reason));
        }
    }

    @ParameterizedTest
    @MethodSource("eachFaultInOneBatchAndInSeveral")
    void theKeyIsBlockedUntilAnOperatorActs(BadMessage fault, boolean oneBatch) {
        String topic = fault.topic(kafka);
        if (oneBatch) {
            write(fault, topic, 1, 2, 3, 4, 5);
        }
        try (TestService relay = relay(fault, oneBatch)
                .with("outbox.relay.on-dead-letter", "block")
                .start()) {
            if (!oneBatch) {
                write(fault, topic, 1, 2, 3, 4, 5);
            }
            await("what comes after is put aside")
                    .atMost(Stage.BOUND)
                    .until(() -> stage.writer()
                                    .jdbc()
                                    .queryForObject(
                                            "SELECT count(*) FROM outbox_message WHERE blocked_by IS NOT NULL",
                                            Integer.class)
                            == 3);
            assertThat(numbers(topic)).containsExactly("1", "2");

            stage.writer()
                    .jdbc()
                    .update("UPDATE outbox_message SET headers = '{}', payload_bytes = convert_to('3 mended', 'UTF8')"
                            + " WHERE dead_at IS NOT NULL");
            UUID deadLetter =
                    stage.writer().jdbc().queryForObject("SELECT message_id FROM outbox_dead_letters", UUID.class);
            assertThat(relay.bean(OutboxOperations.class).retry(deadLetter)).isTrue();
            stage.awaitDrained();
            assertThat(numbers(topic)).containsExactly("1", "2", "3", "4", "5");
        }
    }

    private TestService.Builder relay(BadMessage fault, boolean oneBatch) {
        return fault.configure(stage.relay("relay"))
                .with("outbox.relay.batch-size", oneBatch ? 2000 : 1)
                .with("outbox.relay.publish-timeout", "3s")
                .with("outbox.relay.retry.max-attempts", 2)
                .with("outbox.relay.retry.initial-delay", "10ms");
    }

    private void write(BadMessage fault, String topic, int... numbers) {
        for (int number : numbers) {
            if (number == 3) {
                fault.write(stage.writer(), topic, "k", number);
            } else {
                stage.writer().write(to(topic).key("k").payload(BadMessage.payload(number, 10)));
            }
        }
    }

    private List<Object> attempts(String topic) {
        return stage.rows(topic).stream().map(row -> row.get("attempts")).toList();
    }

    private List<String> numbers(String topic) {
        Map<String, List<String>> byKey = Topics.firstOccurrences(
                Topics.read(kafka, topic), record -> new String(record.value(), 0, 1, StandardCharsets.UTF_8));
        return byKey.getOrDefault("k", List.of());
    }
}
