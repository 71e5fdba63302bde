package dev.outbox.relay;

import dev.outbox.OutboxWakeUp;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Step 5, wake: lets the relay sleep until there is something to do. A signal that comes while the
 * relay works is kept, so that it looks once more before it sleeps.
 */
final class WakeUp implements OutboxWakeUp {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition signalled = lock.newCondition();
    private volatile boolean signal;

    @Override
    public void wakeUp() {
        // Writers come here after each commit; while a signal is waiting to be seen they have nothing to add.
        if (!signal) {
            lock.lock();
            try {
                signal = true;
                signalled.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits for a signal, and takes it. */
    void await(Duration longest) throws InterruptedException {
        lock.lock();
        try {
            long nanos = longest.toNanos();
            while (!signal && nanos > 0) {
                nanos = signalled.awaitNanos(nanos);
            }
            signal = false;
        } finally {
            lock.unlock();
        }
    }
}
