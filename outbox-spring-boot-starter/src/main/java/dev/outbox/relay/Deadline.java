package dev.outbox.relay;

import java.time.Duration;

/** A point in time by the JVM's monotonic clock. */
record Deadline(long nanoTime) {

    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    long remainingNanos() {
        return Math.max(0, nanoTime - System.nanoTime());
    }

    boolean passed() {
        return remainingNanos() == 0;
    }

    Deadline orIn(Duration duration) {
        Deadline other = in(duration);
        return other.nanoTime - nanoTime < 0 ? other : this;
    }
}
