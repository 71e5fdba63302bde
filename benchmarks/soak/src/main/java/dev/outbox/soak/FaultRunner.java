package dev.outbox.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Lets the faults of a schedule happen, each at its time and beside those that are not over yet. */
final class FaultRunner implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(5);

    private final Faults faults;
    private final Journal journal;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Fault> happened = Collections.synchronizedList(new ArrayList<>());
    private final List<Fault> running = Collections.synchronizedList(new ArrayList<>());

    FaultRunner(Faults faults, Journal journal) {
        this.faults = faults;
        this.journal = journal;
    }

    /** Returns when the last fault is over, or fails if one could not happen or could not be repaired. */
    void run(FaultSchedule schedule) throws InterruptedException {
        long start = System.nanoTime();
        List<Future<?>> begun = new ArrayList<>();
        for (Fault fault : schedule.faults()) {
            long wait = fault.offset().toNanos() - (System.nanoTime() - start);
            TimeUnit.NANOSECONDS.sleep(Math.max(0, wait));
            begun.add(threads.submit(() -> {
                happen(fault);
                return fault;
            }));
        }
        for (Future<?> fault : begun) {
            await(fault);
        }
    }

    private void happen(Fault fault) throws InterruptedException {
        journal.line("fault " + fault);
        running.add(fault);
        faults.happen(fault);
        running.remove(fault);
        happened.add(fault);
        journal.line("over  #" + fault.number() + " " + fault.kind());
    }

    private static void await(Future<?> fault) throws InterruptedException {
        try {
            fault.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("A fault of the schedule did not come to its end", e);
        }
    }

    /** Those that are over. */
    List<Fault> happened() {
        return List.copyOf(happened);
    }

    /** Kinds of those that last. */
    List<FaultKind> running() {
        synchronized (running) {
            return running.stream().map(Fault::kind).toList();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
