package dev.outbox.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FaultScheduleTests {

    private static final Duration SHORT = Duration.ofMinutes(3);
    private static final Duration LONG = Duration.ofMinutes(30);

    @Test
    void aSeedRepeatsTheSchedule() {
        assertThat(FaultSchedule.of(7, LONG, 3, 3)).isEqualTo(FaultSchedule.of(7, LONG, 3, 3));
        assertThat(FaultSchedule.of(7, LONG, 3, 3)).isNotEqualTo(FaultSchedule.of(8, LONG, 3, 3));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachKindOccursInThreeMinutes(long seed) {
        assertThat(FaultSchedule.of(seed, SHORT, 3, 3).faults())
                .extracting(Fault::kind)
                .contains(FaultKind.values());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void faultsEndInTimeToHealAndComeEveryFewSeconds(long seed) {
        List<Fault> faults = FaultSchedule.of(seed, LONG, 3, 3).faults();
        assertThat(faults).hasSizeBetween(250, 400).allSatisfy(fault -> {
            assertThat(fault.offset()).isPositive();
            assertThat(fault.offset().plus(fault.duration())).isLessThan(LONG);
            assertThat(fault.target()).isBetween(0, 2);
        });
        assertThat(faults).extracting(Fault::offset).isSorted();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneBrokerIsNotKilledWhileItIsFrozen(long seed) {
        List<Fault> ofBroker = FaultSchedule.of(seed, LONG, 3, 3).faults().stream()
                .filter(fault -> fault.kind().place() == FaultKind.Place.BROKER)
                .toList();
        for (int i = 1; i < ofBroker.size(); i++) {
            Fault before = ofBroker.get(i - 1);
            assertThat(ofBroker.get(i).offset()).isGreaterThan(before.offset().plus(before.duration()));
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }
}
