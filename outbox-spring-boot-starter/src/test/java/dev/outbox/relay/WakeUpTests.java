package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait that would last for an hour ends at once, or the test ends by its time limit. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WakeUpTests {

    private static final Duration HOUR = Duration.ofHours(1);

    private final WakeUp wakeUp = new WakeUp();

    @Test
    void aSignalThatComesWhileTheRelayWorksIsKept() throws Exception {
        wakeUp.wakeUp();

        wakeUp.await(HOUR);
    }

    @Test
    void aSignalEndsAWaitInProgress() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Thread relay = Thread.currentThread();
            Future<?> signal = threads.submit(() -> {
                while (relay.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
                wakeUp.wakeUp();
            });
            wakeUp.await(HOUR);
            signal.get();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void manySignalsAreOne() throws Exception {
        wakeUp.wakeUp();
        wakeUp.wakeUp();
        wakeUp.await(HOUR);

        long start = System.nanoTime();
        wakeUp.await(Duration.ofMillis(20));
        assertThat(System.nanoTime() - start)
                .isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
    }

    @Test
    void withoutASignalTheWaitEndsByItself() throws Exception {
        wakeUp.await(Duration.ofMillis(1));
        wakeUp.await(Duration.ZERO);
    }

    @Test
    void noSignalIsLostHoweverManyWritersThereAre() throws Exception {
        int writers = 8;
        int commits = 20_000;
        AtomicInteger committed = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                done.add(threads.submit(() -> {
                    for (int i = 0; i < commits; i++) {
                        committed.incrementAndGet();
                        wakeUp.wakeUp();
                    }
                }));
            }
            // The relay's way: look, and sleep when there was nothing new. A lost signal would have it sleep on.
            int seen = 0;
            while (seen < writers * commits) {
                int now = committed.get();
                if (now == seen) {
                    wakeUp.await(HOUR);
                }
                seen = now;
            }
            for (Future<?> writer : done) {
                writer.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
