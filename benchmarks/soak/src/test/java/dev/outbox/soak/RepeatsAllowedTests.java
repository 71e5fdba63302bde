package dev.outbox.soak;

import static dev.outbox.soak.FaultKind.FOREIGN_TRANSACTION;
import static dev.outbox.soak.FaultKind.KILL_BROKER;
import static dev.outbox.soak.FaultKind.KILL_RELAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RepeatsAllowedTests {

    @Test
    void aFaultExplainsTheBatchesThatItTouches() {
        assertThat(allowed(FOREIGN_TRANSACTION)).isZero();
        assertThat(allowed(KILL_RELAY)).isEqualTo(100);
        assertThat(allowed(KILL_BROKER)).isEqualTo(300);
        assertThat(allowed(KILL_BROKER, KILL_RELAY, KILL_RELAY)).isEqualTo(500);
    }

    private static long allowed(FaultKind... kinds) {
        List<Fault> faults = Stream.of(kinds)
                .map(kind -> new Fault(1, Duration.ZERO, kind, 0, Duration.ZERO))
                .toList();
        return RepeatsAllowed.of(faults, 3, 100);
    }
}
