package dev.outbox.soak;

import java.time.Duration;
import java.util.Locale;

/**
 * One fault of the schedule.
 *
 * @param number its place in the schedule, from 1 on
 * @param offset when it begins, from the begin of the run
 * @param kind what goes wrong
 * @param target which relay or topic it hits, from 0 on, where it hits one of several
 * @param duration how long it lasts
 */
record Fault(int number, Duration offset, FaultKind kind, int target, Duration duration) {

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "#%-3d %6.1f s  %-19s target %d  lasts %4.1f s",
                number,
                offset.toMillis() / 1000.0,
                kind,
                target,
                duration.toMillis() / 1000.0);
    }
}
