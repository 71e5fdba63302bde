package dev.outbox.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UuidV7Tests {

    private static final Instant NOW = Instant.parse("2026-03-29T01:59:59.123456789Z");

    @Test
    void versionAndVariantAreThoseOfRfc9562() {
        UuidV7 ids = at(NOW);
        for (int i = 0; i < 1_000; i++) {
            UUID id = ids.next();
            assertThat(id.version()).isEqualTo(7);
            assertThat(id.variant()).isEqualTo(2);
        }
    }

    @Test
    void theFirst48BitsAreMillisecondsAndTheNext12TheirFraction() {
        UUID id = at(NOW).next();
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
        // 456,789 of 1,000,000 nanoseconds, in 4,096ths
        assertThat(id.getMostSignificantBits() & 0xFFF).isEqualTo(1871);
        assertThat(at(NOW.minusNanos(456_789)).next().getMostSignificantBits() & 0xFFF)
                .isZero();
        assertThat(at(NOW.plusNanos(543_210)).next().getMostSignificantBits() & 0xFFF)
                .isEqualTo(0xFFF);
    }

    @Test
    void theTextsOfLaterIdsSortBehindThoseOfEarlierOnes() {
        List<String> texts = new ArrayList<>();
        for (int micros = 0; micros < 5_000; micros++) {
            texts.add(at(NOW.plus(Duration.ofNanos(micros * 1_000L))).next().toString());
        }
        assertThat(texts).isSorted();
    }

    @Test
    void idsOfOneInstantDiffer() {
        UuidV7 ids = at(NOW);
        Set<UUID> all = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            all.add(ids.next());
        }
        assertThat(all).hasSize(100_000);
    }

    private static UuidV7 at(Instant now) {
        return new UuidV7(Clock.fixed(now, ZoneOffset.UTC));
    }
}
