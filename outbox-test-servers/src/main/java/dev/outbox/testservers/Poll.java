package dev.outbox.testservers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Bounded waiting for a condition that nobody announces. */
final class Poll {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Poll() {}

    static void until(Duration bound, String expectation, BooleanSupplier condition) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("Interrupted while waiting until " + expectation);
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("Not within " + bound + ": " + expectation);
            }
            LockSupport.parkNanos(INTERVAL.toNanos());
        }
    }
}
