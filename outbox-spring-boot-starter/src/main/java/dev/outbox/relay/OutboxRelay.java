package dev.outbox.relay;

import dev.outbox.ManualRelay;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Publishes what is in the outbox, from the start of the application to its end. It stops in order: no
 * new batch, the one in progress ends or is given up within the shutdown timeout, and what was claimed
 * is free for others; only then the DataSource closes. Where it does not start by itself, it is run by hand.
 */
final class OutboxRelay implements SmartLifecycle, ManualRelay {

    /** Before the web server and the listeners when starting, after them when stopping: their last messages go out. */
    static final int PHASE = Integer.MAX_VALUE / 2;

    private static final Logger log = LoggerFactory.getLogger(OutboxRelay.class);

    private static final long LAST_JOIN_MILLIS = 2_000;

    private final Supplier<RelayLoop> loops;
    private final RelaySettings settings;
    private @Nullable RelayLoop loop;
    private @Nullable Thread thread;

    OutboxRelay(Supplier<RelayLoop> loops, RelaySettings settings) {
        this.loops = loops;
        this.settings = settings;
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            loop = loops.get();
            thread = new Thread(loop, "outbox-relay");
            thread.start();
            log.info("The outbox relay has started.");
        }
    }

    @Override
    public synchronized void stop() {
        if (thread == null || loop == null) {
            return;
        }
        loop.stop();
        if (!joined(thread, settings.shutdownTimeout().toMillis())) {
            log.warn(
                    "The relay did not end within outbox.relay.shutdown-timeout; what it was doing is given up. What Kafka"
                            + " has not acknowledged is published after the next start, or by another instance.");
            loop.giveUp();
            if (!joined(thread, LAST_JOIN_MILLIS)) {
                thread.interrupt();
                loop.abort();
                joined(thread, LAST_JOIN_MILLIS);
            }
        }
        loop.close();
        thread = null;
        loop = null;
        log.info("The outbox relay has stopped.");
    }

    @Override
    public synchronized int publishPending() {
        if (thread != null) {
            throw new IllegalStateException(
                    "The relay runs by itself, and publishes what is pending at once. To run it by"
                            + " hand, set outbox.relay.auto-startup=false.");
        }
        // What it learned of topics and of the broker does not outlive the run: each one looks at them anew.
        try (RelayLoop run = loops.get()) {
            return run.runUntilIdle();
        }
    }

    private static boolean joined(Thread thread, long millis) {
        try {
            // Zero would mean for ever.
            thread.join(Math.max(1, millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }

    @Override
    public boolean isAutoStartup() {
        return settings.autoStartup();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
