package dev.outbox.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerSourceTests {

    @Test
    void aGivenAddressComesFirst() {
        Map<String, String> environment =
                Map.of("OUTBOX_TEST_KAFKA", "broker:9092", "OUTBOX_TEST_SERVERS", "testcontainers");

        assertThat(ServerSource.choose(environment, "OUTBOX_TEST_KAFKA")).isEqualTo(ServerSource.GIVEN);
        assertThat(ServerSource.choose(environment, "OUTBOX_TEST_POSTGRES_URL")).isEqualTo(ServerSource.TESTCONTAINERS);
    }

    @Test
    void theSourceCanBeForced() {
        assertThat(chosenFor("testcontainers")).isEqualTo(ServerSource.TESTCONTAINERS);
        assertThat(chosenFor("Embedded")).isEqualTo(ServerSource.EMBEDDED);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> chosenFor("docker"))
                .withMessageContaining("OUTBOX_TEST_SERVERS");
    }

    @Test
    void otherwiseTheDockerEngineDecides() {
        assertThat(chosenFor(" "))
                .isEqualTo(DockerEngine.answers() ? ServerSource.TESTCONTAINERS : ServerSource.EMBEDDED);
    }

    private static ServerSource chosenFor(String servers) {
        return ServerSource.choose(Map.of("OUTBOX_TEST_SERVERS", servers), "OUTBOX_TEST_KAFKA");
    }
}
