package dev.outbox.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Looks at the backlog now and then, in a thread of its own, so that a scrape of the metrics never asks
 * the database.
 */
final class BacklogSampler implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(BacklogSampler.class);

    private final Backlog backlog;
    private final Duration interval;
    private volatile long oldestAgeMillis;
    private @Nullable ScheduledExecutorService executor;

    BacklogSampler(Backlog backlog, Duration interval, MeterRegistry registry) {
        this.backlog = backlog;
        this.interval = interval;
        TimeGauge.builder("outbox.oldest.pending.age", this, TimeUnit.MILLISECONDS, sampler -> sampler.oldestAgeMillis)
                .description("Time since the oldest message not yet published was written, as of the last sample")
                .register(registry);
    }

    private void sample() {
        try {
            oldestAgeMillis = backlog.oldestAge().toMillis();
        } catch (RuntimeException e) {
            // The relay reports an outage. Meanwhile what is pending grows older.
            long known = oldestAgeMillis;
            oldestAgeMillis = known == 0 ? 0 : known + interval.toMillis();
            log.debug("The backlog could not be sampled", e);
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // sample() lets no exception out, so the future has nothing to tell
    public synchronized void start() {
        if (executor == null) {
            executor = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "outbox-metrics");
                thread.setDaemon(true);
                return thread;
            });
            executor.scheduleWithFixedDelay(this::sample, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public synchronized void stop() {
        if (executor != null) {
            executor.shutdownNow();
            executor = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return executor != null;
    }
}
