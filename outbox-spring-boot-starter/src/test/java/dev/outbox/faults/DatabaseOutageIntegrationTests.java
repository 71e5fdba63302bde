package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import dev.outbox.testservers.OwnPostgres;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The relay goes on by itself after its database was away, or has ended its session. */
class DatabaseOutageIntegrationTests {

    private static OwnPostgres postgres;

    private final OwnKafka kafka = FaultBroker.healthy();

    @BeforeAll
    static void startPostgres() {
        postgres = OwnPostgres.start(Map.of());
    }

    @AfterAll
    static void closePostgres() {
        postgres.close();
    }

    @Test
    void aDatabaseKilledUnderLoadLosesNothingAndKeepsTheOrder() {
        restartUnderLoad(postgres::stopHard);
    }

    @Test
    void aDatabaseRestartedUnderLoadLosesNothingAndKeepsTheOrder() {
        restartUnderLoad(postgres::stop);
    }

    private void restartUnderLoad(Runnable stop) {
        String topic = Topics.create(kafka, "database", 3, Map.of());
        try (Stage stage = Stage.on(postgres, kafka);
                Load load = new Load(stage.writer(), topic, 20);
                TestService relay = stage.relay("relay").start()) {
            Future<?> writing = load.start(1_500);
            load.awaitCommitted(500);
            stop.run();
            postgres.startAgain();
            Load.get(writing);
            stage.awaitDrained();
            load.assertPublishedInOrder(kafka);
        }
    }

    @Test
    void aSessionThatIsEndedInMidBatchIsReplaced() {
        String topic = Topics.create(kafka, "terminated", 3, Map.of());
        try (Stage stage = Stage.on(postgres, kafka);
                Load load = new Load(stage.writer(), topic, 20, 10_000);
                TestService relay = stage.relay("relay").start()) {
            load.write(50);
            stage.awaitDrained();
            kafka.freeze();
            load.write(100);
            stage.awaitMidBatch("relay");
            List<Integer> sessions = stage.midBatch("relay");
            assertThat(sessions).hasSize(1);
            stage.writer().jdbc().queryForObject("SELECT pg_terminate_backend(?)", Boolean.class, sessions.get(0));
            kafka.thaw();

            load.write(100);
            stage.awaitDrained();
            load.assertPublishedInOrder(kafka);
        }
    }

    @Test
    void idleSessionsThatAreEndedAreReplaced() {
        String topic = Topics.create(kafka, "terminated", 3, Map.of());
        try (Stage stage = Stage.on(postgres, kafka);
                Load load = new Load(stage.writer(), topic, 20);
                TestService relay = stage.relay("relay").start()) {
            for (int i = 0; i < 5; i++) {
                load.write(20);
                stage.writer()
                        .jdbc()
                        .query(
                                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'relay'",
                                row -> {});
                load.write(20);
                stage.awaitDrained();
            }
            load.assertPublishedInOrder(kafka);
        }
    }
}
