package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTests {

    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5));

    @Test
    void theBoundGrowsByTheMultiplierUpToTheLongestDelay() {
        assertThat(IntStream.rangeClosed(1, 4).mapToObj(backoff::bound))
                .containsExactly(
                        Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8));
        assertThat(backoff.bound(9)).isEqualTo(Duration.ofSeconds(256));
        assertThat(backoff.bound(10)).isEqualTo(Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 10, 63, 64, 65, 1_100, Integer.MAX_VALUE})
    void theDelayIsNeverNegativeNorAboveItsBound(int failures) {
        for (int i = 0; i < 1_000; i++) {
            assertThat(backoff.delay(failures)).isBetween(Duration.ZERO, backoff.bound(failures));
        }
        assertThat(backoff.bound(failures)).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(5));
    }

    @Test
    void theExtremesThatCanBeConfiguredWork() {
        Backoff slow = new Backoff(Duration.ofDays(1), 100, Duration.ofDays(1));
        assertThat(slow.bound(Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
        assertThat(slow.delay(Integer.MAX_VALUE)).isBetween(Duration.ZERO, Duration.ofDays(1));

        Backoff constant = new Backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));
        assertThat(constant.bound(Integer.MAX_VALUE)).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void delaysAreSpreadSoThatInstancesDoNotComeBackTogether() {
        assertThat(IntStream.range(0, 100).mapToObj(i -> backoff.delay(5)).distinct())
                .hasSizeGreaterThan(90);
    }
}
