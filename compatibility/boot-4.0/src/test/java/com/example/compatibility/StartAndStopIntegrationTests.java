package com.example.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** How the service begins and ends. */
@ExtendWith(OutputCaptureExtension.class)
class StartAndStopIntegrationTests {

    private final Postgres postgres = TestServers.postgres();
    private final String database = postgres.createDatabase();
    private final String topic = StartedService.newTopic();

    @Test
    void theRelayEndsWithTheServiceAndLeavesNothingBehindForTheNextStart(CapturedOutput output) {
        try (StartedService service = StartedService.start(postgres, database, topic)) {
            assertThat(threadsOfTheRelay()).isPositive();
            IntStream.range(0, 200).forEach(number -> service.orders().place("alice", number));
        }
        assertThat(threadsOfTheRelay()).isZero();
        assertThat(output).contains("The outbox relay has stopped.").doesNotContain("ERROR");

        try (StartedService service = StartedService.start(postgres, database, topic)) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(service.shipments()).hasSize(200));
            assertThat(service.records()).hasSize(200);
        }
    }

    @Test
    void aWrongSettingStopsTheStartWithItsName(CapturedOutput output) {
        assertThatException()
                .isThrownBy(() -> StartedService.start(postgres, database, topic, "outbox.relay.batch-size=0"));

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("outbox.relay.batch-size")
                .contains("must be between 1 and 10000")
                .doesNotContain("\tat ");
    }

    private static long threadsOfTheRelay() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("outbox"))
                .count();
    }
}
