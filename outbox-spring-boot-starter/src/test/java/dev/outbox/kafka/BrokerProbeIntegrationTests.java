package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerProbeIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final String servers = TestServers.kafka().bootstrapServers();

    @Test
    void itHearsABrokerAgainAndAgain() {
        try (BrokerProbe probe = probe(Map.of("bootstrap.servers", servers))) {
            assertThat(probe.answers()).isTrue();
            assertThat(probe.answers()).isTrue();
        }
    }

    /** An admin client cannot be made with these two, and an outage would never end. */
    @Test
    void timeoutsThatTheApplicationChoseForItsProducersAreNoObstacle() {
        try (BrokerProbe probe = probe(Map.of(
                "bootstrap.servers", servers, "request.timeout.ms", "90000", "default.api.timeout.ms", "60000"))) {
            assertThat(probe.answers()).isTrue();
        }
    }

    @Test
    void itSaysNoWhereNobodyAnswersOrNoNameResolves() {
        try (BrokerProbe probe =
                new RelayKafka(Map.of("bootstrap.servers", "localhost:1")).probe(Duration.ofMillis(500))) {
            assertThat(probe.answers()).isFalse();
            assertThat(probe.answers()).isFalse();
        }
        try (BrokerProbe probe = probe(Map.of("bootstrap.servers", "no-such-broker.invalid:9092"))) {
            assertThat(probe.answers()).isFalse();
        }
    }

    private static BrokerProbe probe(Map<String, Object> connection) {
        return new RelayKafka(connection).probe(TIMEOUT);
    }
}
