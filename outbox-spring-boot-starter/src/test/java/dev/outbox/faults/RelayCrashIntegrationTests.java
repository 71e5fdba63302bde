package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.RelayProcess;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Relays in JVMs of their own that come, go, die and freeze: others take over, and the order of each key holds. */
class RelayCrashIntegrationTests {

    private final OwnKafka kafka = FaultBroker.healthy();
    private final Stage stage = Stage.on(kafka);

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void threeRelaysKeepTheOrderOfEachKeyWhileTheyComeAndGo() {
        String topic = Topics.create(kafka, "three", 6, Map.of());
        try (Load load = new Load(stage.writer(), topic, 50);
                RelayProcess one = process("one").awaitReady()) {
            load.write(2_000);
            Future<?> writing = load.start(2_000);
            try (RelayProcess two = process("two");
                    RelayProcess three = process("three")) {
                two.awaitReady();
                three.awaitReady();
                Load.get(writing);

                await("each of them publishes").atMost(Stage.BOUND).until(() -> {
                    load.write(500);
                    return one.published() > 0 && two.published() > 0 && three.published() > 0;
                });
                int before = load.committed();
                writing = load.start(2_000);
                load.awaitCommitted(before + 500);
                two.terminate();
                load.awaitCommitted(before + 1_000);
                three.kill();
                Load.get(writing);
            }
            load.write(Math.max(500, 10_000 - load.committed()));
            stage.awaitDrained();
            load.assertPublishedInOrder(kafka);
        }
    }

    @Test
    void relaysThatShareTheWorkPublishEachMessageOnce() {
        String topic = Topics.create(kafka, "shared", 3, Map.of());
        try (Load load = new Load(stage.writer(), topic, 50);
                TestService one = eager("one").start();
                TestService two = eager("two").start();
                TestService three = eager("three").start()) {
            load.write(3_000);
            stage.awaitDrained();
            load.assertPublishedOnce(kafka);
        }
    }

    /** Small batches and hardly a pause: the relays meet as often as they can. */
    private TestService.Builder eager(String name) {
        return stage.relay(name)
                .with("outbox.relay.batch-size", 20)
                .with("outbox.relay.poll-interval", "1ms")
                .with("outbox.relay.publish-timeout", "2m");
    }

    @Test
    void aKillInMidBatchLosesNothingAndLeavesTheWorkToTheNextRelay() {
        String topic = Topics.create(kafka, "killed", 3, Map.of());
        try (Load load = new Load(stage.writer(), topic, 20, 10_000)) {
            try (RelayProcess one = process("one").awaitReady()) {
                load.write(100);
                stage.awaitDrained();
                kafka.freeze();
                load.write(200);
                stage.awaitMidBatch("one");
                one.kill();
                stage.awaitNoTransaction("one");
            } finally {
                kafka.thaw();
            }
            try (TestService next = stage.relay("next").start()) {
                stage.awaitDrained();
                load.assertPublishedInOrder(kafka);
            }
        }
    }

    @Test
    void aRelayThatRunsTakesOverFromOneThatWasKilledInMidBatch() {
        String topic = Topics.create(kafka, "taken-over", 3, Map.of());
        try (Load load = new Load(stage.writer(), topic, 20, 10_000);
                RelayProcess one = process("one").awaitReady();
                TestService other = stage.relay("other").start()) {
            load.write(100);
            stage.awaitDrained();
            kafka.freeze();
            Future<?> writing = load.start(400);
            stage.awaitMidBatch("one");
            one.kill();
            kafka.thaw();
            Load.get(writing);
            stage.awaitDrained();
            load.assertPublishedInOrder(kafka);
        }
    }

    @Test
    void aRelayThatFreezesInMidBatchLosesItsClaimAndDoesNoHarmWhenItWakesUp() {
        String topic = Topics.create(kafka, "zombie", 2, Map.of());
        try (Load load = new Load(stage.writer(), topic, 20, 20_000)) {
            RelayProcess zombie = RelayProcess.start(
                            "zombie", stage.relay("zombie").with("outbox.relay.publish-timeout", "4s"))
                    .awaitReady();
            try (zombie) {
                load.write(20);
                stage.awaitDrained();
                // The broker holds the zombie in mid-batch, with requests under way and more to come.
                kafka.freeze();
                load.write(200);
                stage.awaitMidBatch("zombie");
                zombie.freeze();
                kafka.thaw();
                try (TestService other = stage.relay("other").start()) {
                    // The database ends the session, nobody else could.
                    stage.awaitDrained();
                    Future<?> writing = load.start(200);
                    load.awaitCommitted(300);
                    zombie.thaw();
                    Load.get(writing);
                    stage.awaitDrained();
                }
                int before = zombie.published();
                load.write(100);
                stage.awaitDrained();
                await("the zombie works again").atMost(Stage.BOUND).until(() -> zombie.published() > before);
                load.assertPublishedInOrder(kafka);
            }
        }
    }

    @Test
    void aRelayThatIsAskedToEndUnderLoadLeavesNothingHalfDone() {
        String topic = Topics.create(kafka, "ended", 3, Map.of());
        try (Load load = new Load(stage.writer(), topic, 20)) {
            for (int i = 1; i <= 2; i++) {
                try (RelayProcess relay = process("relay-" + i).awaitReady()) {
                    Future<?> writing = load.start(1_000);
                    load.awaitCommitted(load.committed() + 500);
                    await("it publishes").atMost(Stage.BOUND).until(() -> relay.published() > 0);
                    relay.terminate();
                    assertThat(stage.openTransactions("relay-" + i)).isZero();
                    Load.get(writing);
                }
            }
            try (TestService last = stage.relay("last").start()) {
                stage.awaitDrained();
            }
            load.assertPublishedOnce(kafka);
        }
    }

    private RelayProcess process(String name) {
        return RelayProcess.start(name, stage.relay(name).with("outbox.relay.batch-size", 100));
    }
}
