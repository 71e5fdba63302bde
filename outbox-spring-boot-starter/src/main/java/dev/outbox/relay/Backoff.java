package dev.outbox.relay;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Exponential backoff with full jitter: the bound grows from the initial delay by the multiplier up to
 * the longest delay, and the delay is drawn between zero and the bound.
 */
record Backoff(Duration initial, double multiplier, Duration longest) {

    /** The delay after the given number of failures in a row, at least one. */
    Duration delay(int failures) {
        return Duration.ofNanos(
                ThreadLocalRandom.current().nextLong(bound(failures).toNanos() + 1));
    }

    Duration bound(int failures) {
        double nanos = initial.toNanos() * Math.pow(multiplier, Math.max(0, failures - 1));
        // A large power is infinite, and compares as such.
        return nanos >= longest.toNanos() ? longest : Duration.ofNanos((long) nanos);
    }
}
