package dev.outbox.faults;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay stops within its time, and what it had claimed is free for others. */
class StopIntegrationTests {

    private final OwnKafka kafka = FaultBroker.healthy();
    private final Stage stage = Stage.on(kafka);

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aBatchThatDoesNotEndIsGivenUpAndItsClaimReleased() {
        String topic = Topics.create(kafka, "given-up", 3, Map.of());
        try (Load load = new Load(stage.writer(), topic, 20, 10_000)) {
            // Left alone, the batch would wait for the broker for longer than this test may take.
            TestService relay = stage.relay("relay")
                    .with("outbox.relay.publish-timeout", "10m")
                    .with("outbox.relay.shutdown-timeout", "1s")
                    .start();
            try (relay) {
                load.write(50);
                stage.awaitDrained();
                kafka.freeze();
                load.write(100);
                stage.awaitMidBatch("relay");
            }
            assertThat(stage.openTransactions("relay")).isZero();
            kafka.thaw();
            try (TestService next = stage.relay("next").start()) {
                stage.awaitDrained();
                load.assertPublishedInOrder(kafka);
            }
        }
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPauseForAnOutageEndsWithTheService() {
        try (RelayLogLines log = RelayLogLines.record()) {
            TestService relay = stage.relay("relay")
                    .with("outbox.relay.publish-timeout", "2s")
                    .with("outbox.relay.shutdown-timeout", "10m")
                    .start();
            try (relay) {
                kafka.freeze();
                relay.write(to("anywhere").key("k").payload("waits"));
                log.await(RelayLogLines.BROKER_DOWN);
            } finally {
                kafka.thaw();
            }
            assertThat(stage.openTransactions("relay")).isZero();
        }
    }

    @Test
    void closingUnderLoadLeavesNothingHalfDone() {
        String topic = Topics.create(kafka, "closed", 3, Map.of());
        try (Load load = new Load(stage.writer(), topic, 20)) {
            for (int i = 0; i < 3; i++) {
                Future<?> writing;
                try (TestService relay = stage.relay("relay").start()) {
                    writing = load.start(500);
                    load.awaitCommitted(load.committed() + 250);
                }
                assertThat(stage.openTransactions("relay")).isZero();
                Load.get(writing);
            }
            try (TestService relay = stage.relay("relay").start()) {
                stage.awaitDrained();
            }
            load.assertPublishedOnce(kafka);
        }
    }

    @Test
    void aRelayThatWasStoppedStartsAgain() {
        String topic = Topics.create(kafka, "restarted", 3, Map.of());
        try (Load load = new Load(stage.writer(), topic, 20);
                TestService relay = stage.relay("relay").start()) {
            for (int i = 0; i < 3; i++) {
                load.write(50);
                stage.awaitDrained();
                relay.context().stop();
                assertThat(stage.openTransactions("relay")).isZero();
                int before = load.committed();
                load.write(50);
                assertThat(stage.writer().pending()).isEqualTo(load.committed() - before);
                relay.context().start();
            }
            stage.awaitDrained();
            load.assertPublishedOnce(kafka);
        }
    }
}
