package dev.outbox.relay;

import static dev.outbox.relay.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeldBackTests {

    // Just before the overflow, where comparing instead of subtracting would fail.
    private long now = Long.MAX_VALUE - Duration.ofMillis(1).toNanos();

    private final HeldBack heldBack =
            new HeldBack(() -> now, new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1)));

    @Test
    void nothingIsHeldBackAtFirst() {
        assertThat(heldBack.exclusions().isEmpty()).isTrue();
    }

    @Test
    void aKeyIsHeldBackForItsTime() {
        heldBack.hold(message(1, "orders", "17"), Duration.ofSeconds(2));

        assertThat(heldBack.exclusions().keyNames()).containsExactly("6:orders17");
        pass(Duration.ofSeconds(2).minusNanos(1));
        assertThat(heldBack.exclusions().keys()).hasSize(1);
        pass(Duration.ofNanos(1));
        assertThat(heldBack.exclusions().isEmpty()).isTrue();
    }

    @Test
    void theLastWordOnAKeyCounts() {
        heldBack.hold(message(1, "orders", "17"), Duration.ofSeconds(5));
        heldBack.hold(message(1, "orders", "17"), Duration.ofSeconds(1));

        pass(Duration.ofSeconds(1));
        assertThat(heldBack.exclusions().isEmpty()).isTrue();
    }

    @Test
    void noTwoKeysLookTheSame() {
        heldBack.hold(message(1, "a", "b:c"), Duration.ofSeconds(1));
        heldBack.hold(message(1, "a:b", "c"), Duration.ofSeconds(1));
        heldBack.hold(message(1, "ab", ":c"), Duration.ofSeconds(1));
        heldBack.hold(message(1, "1", "1:1"), Duration.ofSeconds(1));
        heldBack.hold(message(1, "11", ":1"), Duration.ofSeconds(1));

        assertThat(heldBack.exclusions().keyNames()).doesNotHaveDuplicates().hasSize(5);
    }

    @Test
    void aMessageWithoutAKeyHoldsBackItselfOnly() {
        heldBack.hold(message(42, "orders", null), Duration.ofSeconds(1));

        Exclusions exclusions = heldBack.exclusions();
        assertThat(exclusions.idsWithoutKey()).containsExactly(42L);
        assertThat(exclusions.keyNames()).isEmpty();
        assertThat(exclusions.topics()).isEmpty();
    }

    @Test
    void heldKeysAreToldWithTheirLanes() {
        PendingMessage keyed = message(1, 3, "orders", "17");
        PendingMessage keyless = message(2, 5, "orders", null);
        heldBack.hold(keyed, Duration.ofSeconds(60));
        heldBack.hold(keyless, Duration.ofSeconds(60));

        assertThat(heldBack.exclusions().keys())
                .containsOnly(Map.entry(keyed.orderKey(), 3), Map.entry(keyless.orderKey(), 5));
    }

    @Test
    void aTopicIsHeldBackForLongerEachTimeAndNeverForMoreThanTheBound() {
        for (int failures = 1; failures < 100; failures++) {
            Duration bound = Duration.ofSeconds(1L << Math.min(failures - 1, 6));
            Duration delay = heldBack.holdTopic("missing", true);
            assertThat(delay)
                    .isBetween(
                            Duration.ZERO, bound.compareTo(Duration.ofMinutes(1)) < 0 ? bound : Duration.ofMinutes(1));
            pass(delay);
            assertThat(heldBack.exclusions().topics()).isEmpty();
        }
    }

    @Test
    void aTopicThatWorksStartsAnew() {
        for (int failures = 1; failures < 50; failures++) {
            heldBack.holdTopic("flaky", true);
        }
        heldBack.topicWorks("flaky");
        assertThat(heldBack.exclusions().isEmpty()).isTrue();

        assertThat(heldBack.holdTopic("flaky", true)).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aTopicIsNotFreedByTheTimeOfAnother() {
        Duration one = heldBack.holdTopic("one", true);
        pass(one);
        while (heldBack.holdTopic("other", true).isZero()) {
            // drawn at random, from zero on
        }

        assertThat(heldBack.exclusions().topics()).containsExactly("other");
    }

    @Test
    void aTopicThatIsLookedUpIsHeldForAMomentAndNotJudged() {
        heldBack.holdTopicBriefly("new", Duration.ofMillis(100));
        assertThat(heldBack.exclusions().topics()).containsExactly("new");

        pass(Duration.ofMillis(100));

        assertThat(heldBack.exclusions().isEmpty()).isTrue();
        assertThat(heldBack.holdTopic("new", true)).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void theNextReleaseIsTheEarliestOneAhead() {
        assertThat(heldBack.nextRelease()).isGreaterThan(Duration.ofDays(1));
        heldBack.hold(message(1, "orders", "17"), Duration.ofSeconds(2));
        heldBack.holdTopicBriefly("new", Duration.ofMillis(100));

        assertThat(heldBack.nextRelease()).isEqualTo(Duration.ofMillis(100));
        pass(Duration.ofMillis(100));
        heldBack.exclusions();
        assertThat(heldBack.nextRelease()).isEqualTo(Duration.ofMillis(1_900));
        pass(Duration.ofMillis(1_900));
        heldBack.exclusions();
        assertThat(heldBack.nextRelease()).isGreaterThan(Duration.ofDays(1));
    }

    @Test
    void whatIsReleasedAfterTheLastLookIsLookedAtAtOnce() {
        heldBack.exclusions();
        heldBack.holdTopicBriefly("new", Duration.ofMillis(100));
        heldBack.hold(message(1, "orders", "17"), Duration.ofSeconds(2));

        pass(Duration.ofMillis(150));
        assertThat(heldBack.nextRelease()).isZero();
    }

    private void pass(Duration duration) {
        now += duration.toNanos();
    }
}
