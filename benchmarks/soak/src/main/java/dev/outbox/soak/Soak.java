package dev.outbox.soak;

import dev.outbox.testservers.OwnKafka;
import dev.outbox.testservers.OwnPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run: servers, writers and relays are started, faults happen, all heals, the judge decides. */
final class Soak implements AutoCloseable {

    /** Small, so that few repeats are explained by a fault, and still of several producer batches. */
    private static final int BATCH_SIZE = 200;

    private static final Duration DRAIN = Duration.ofMinutes(10);

    private final SoakOptions options;
    private final FaultSchedule schedule;
    private final Journal journal;
    private final Ledger ledger = new Ledger();
    private final OwnPostgres postgres;
    private final OwnKafka kafka;
    private final String jdbcUrl;
    private final Relays relays = new Relays();
    private final ScheduledExecutorService watch = Executors.newScheduledThreadPool(2);
    private final ExecutorService writing = Executors.newCachedThreadPool();
    private @Nullable WriteService service;

    private Soak(SoakOptions options, FaultSchedule schedule, Journal journal) {
        this.options = options;
        this.schedule = schedule;
        this.journal = journal;
        postgres = OwnPostgres.start(Map.of("shared_buffers", "256MB", "max_wal_size", "512MB"));
        kafka = OwnKafka.start(BrokerFaults.BROKER_CONFIG);
        jdbcUrl = postgres.createDatabase();
    }

    /** Runs to the end and says whether all promises held. */
    static boolean run(SoakOptions options, Journal journal) throws InterruptedException {
        FaultSchedule schedule =
                FaultSchedule.of(options.seed(), options.duration(), options.relays(), SoakTopics.PLAIN.size());
        journal.text(options.toString());
        journal.text("Faults to come, " + schedule.faults().size() + ":");
        schedule.faults().forEach(fault -> journal.text("  " + fault));
        try (Soak soak = new Soak(options, schedule, journal)) {
            return soak.run();
        }
    }

    private boolean run() throws InterruptedException {
        SoakTopics.create(kafka);
        WriteService writes = WriteService.start(jdbcUrl, postgres, kafka, ledger);
        service = writes;
        Rows rows = new Rows(writes.jdbc());
        relays.start(options.relays(), relayProperties(), journal);
        Faults faults = new Faults(
                options.seed(),
                relays.all(),
                new BrokerFaults(kafka, journal),
                new DatabaseFaults(postgres, jdbcUrl, journal),
                writes);
        try (FaultRunner runner = new FaultRunner(faults, journal)) {
            Future<?> supervised = watch.scheduleWithFixedDelay(relays::supervise, 1, 1, TimeUnit.SECONDS);
            Progress progress = new Progress(ledger, rows, runner, journal);
            Future<?> told = watch.scheduleAtFixedRate(progress, 5, 5, TimeUnit.SECONDS);
            writeAndBreak(writes, runner);
            Duration drain = drain(rows);
            endOfWatch(supervised, told);
            return verdict(rows, runner.happened(), drain);
        }
    }

    private void writeAndBreak(WriteService writes, FaultRunner runner) throws InterruptedException {
        long end = System.nanoTime() + options.duration().toNanos();
        Pace pace = new Pace(options.rate());
        List<Writer> writers = new ArrayList<>();
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < options.writers(); i++) {
            Writer writer = new Writer(writes, pace, new Random(options.seed() * 31 + i));
            writers.add(writer);
            ends.add(writing.submit(writer));
        }
        journal.line("writing");
        runner.run(schedule);
        TimeUnit.NANOSECONDS.sleep(Math.max(0, end - System.nanoTime()));
        writers.forEach(Writer::stop);
        for (Future<?> writer : ends) {
            await(writer, "A writer failed");
        }
        journal.line("faults and writers have ended");
    }

    /** Returns how long it took until nothing waited that had no reason to; the judge finds what still does. */
    private Duration drain(Rows rows) throws InterruptedException {
        long start = System.nanoTime();
        while (!rows.drained()) {
            if (System.nanoTime() - start > DRAIN.toNanos()) {
                journal.line("NOT drained within " + DRAIN);
                break;
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private void endOfWatch(Future<?>... watching) throws InterruptedException {
        for (Future<?> each : watching) {
            if (each.isDone()) {
                await(each, "The watch over the run failed");
            }
        }
        watch.shutdownNow();
        if (!watch.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("The watch over the run does not end");
        }
    }

    private static void await(Future<?> end, String failure) throws InterruptedException {
        try {
            end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(failure, e);
        }
    }

    private boolean verdict(Rows rows, List<Fault> happened, Duration drain) throws InterruptedException {
        Verdict verdict = new Verdict();
        relays.terminate(verdict);
        long repeatsAllowed = RepeatsAllowed.of(happened, options.relays(), BATCH_SIZE);
        Evidence evidence = new Evidence(
                ledger.all(), rows.committedTransactions(), rows.all(), Consumed.all(kafka.bootstrapServers()));
        Judge.judge(evidence, repeatsAllowed, verdict);
        new Report(options, ledger, happened, relays, journal).print(evidence, verdict, drain, repeatsAllowed);
        return verdict.clean();
    }

    private List<String> relayProperties() {
        return List.of(
                "--spring.main.banner-mode=off",
                "--spring.datasource.url=" + jdbcUrl,
                "--spring.datasource.username=" + postgres.user(),
                "--spring.datasource.password=" + postgres.password(),
                "--spring.datasource.hikari.maximum-pool-size=2",
                "--spring.datasource.hikari.connection-timeout=2000",
                "--spring.flyway.enabled=false",
                "--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "--outbox.relay.poll-interval=200ms",
                "--outbox.relay.batch-size=" + BATCH_SIZE,
                "--outbox.relay.retry.max-attempts=5",
                "--outbox.relay.retry.max-delay=3s");
    }

    @Override
    public void close() {
        watch.shutdownNow();
        writing.shutdownNow();
        relays.kill();
        if (service != null) {
            service.close();
        }
        kafka.close();
        postgres.close();
    }
}
