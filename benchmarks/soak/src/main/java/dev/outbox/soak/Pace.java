package dev.outbox.soak;

import java.util.concurrent.TimeUnit;

/** Lets writers go at a rate. What an outage kept them from doing they make up for afterwards. */
final class Pace {

    private final long start = System.nanoTime();
    private final double nanosEach;
    private long granted;

    Pace(int perSecond) {
        nanosEach = (double) TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /** Returns when so many more may be written. */
    void await(int messages) throws InterruptedException {
        long due;
        synchronized (this) {
            due = start + (long) (granted * nanosEach);
            granted += messages;
        }
        long wait = due - System.nanoTime();
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }
}
