package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailedAttemptTests {

    @Test
    void theErrorNamesTheFailureAndWhatItSays() {
        assertThat(error("too large")).isEqualTo("IllegalArgumentException: too large");
        assertThat(error(null)).isEqualTo("IllegalArgumentException: null");
    }

    @Test
    void whatPostgresCannotStoreIsLeftOut() {
        assertThat(error("a\0b\0")).isEqualTo("IllegalArgumentException: ab");
    }

    @Test
    void theErrorIsCutAndNotInTheMiddleOfACharacter() {
        for (int filler = 960; filler < 1_000; filler++) {
            String error = error("x".repeat(filler) + "\uD83D\uDE00".repeat(50));

            assertThat(error).hasSizeBetween(999, 1_000);
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(error)).isTrue();
        }
    }

    private static String error(String text) {
        return FailedAttempt.of(Messages.message(1, "topic", "key"), Duration.ZERO, new IllegalArgumentException(text))
                .error();
    }
}
