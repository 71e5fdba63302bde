package dev.outbox.metrics;

import dev.outbox.OutboxListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.IntStream;

/** Counts what the relay publishes, and times its batches. */
final class RelayMetrics implements OutboxListener {

    private static final Duration[] BUCKETS = IntStream.of(2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final Counter published;
    private final Timer batchDuration;

    RelayMetrics(MeterRegistry registry) {
        published = Counter.builder("outbox.events.published")
                .description("Messages that Kafka has acknowledged")
                .register(registry);
        batchDuration = Timer.builder("outbox.batch.duration")
                .description("Time of a relay batch, from the begin of its transaction to the commit")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    @Override
    public void batchCompleted(Batch batch) {
        published.increment(batch.published());
        batchDuration.record(batch.duration());
    }
}
