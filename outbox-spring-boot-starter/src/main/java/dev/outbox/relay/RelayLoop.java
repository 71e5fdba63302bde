package dev.outbox.relay;

import dev.outbox.kafka.BrokerProbe;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Repeats the pass: at once while there is work, else when woken or after the poll interval. Pauses
 * while the database or the broker is away, and survives everything else. Runs in a thread of its own
 * until it is told to stop.
 */
final class RelayLoop implements Runnable, AutoCloseable {

    /** Passes in a row that are sent one message at a time, at most, before another try with whole batches. */
    private static final int MAX_CAREFUL_PASSES = 64;

    private final RelayPass pass;
    private final BrokerProbe probe;
    private final WakeUp wakeUp;
    private final RelaySettings settings;
    private final RelayLog log;

    private int carefulPasses;
    private int silences;
    private int databaseFailures;
    private volatile boolean stopped;

    RelayLoop(RelayPass pass, BrokerProbe probe, WakeUp wakeUp, RelaySettings settings, RelayLog log) {
        this.pass = pass;
        this.probe = probe;
        this.wakeUp = wakeUp;
        this.settings = settings;
        this.log = log;
    }

    @Override
    public void run() {
        while (!stopped) {
            try {
                pass();
            } catch (InterruptedException e) {
                // Only a stop that has run out of time interrupts.
                return;
            }
        }
    }

    private void pass() throws InterruptedException {
        try {
            PassResult result = pass.runOnce(carefulPasses > 0);
            databaseWorks();
            switch (result.next()) {
                case AGAIN -> batchDone();
                case WAIT -> wakeUp.await(Collections.min(List.of(settings.pollInterval(), pass.nextRelease())));
                case CHECK_BROKER -> checkBroker(result);
            }
        } catch (SQLException e) {
            databaseFailures++;
            log.databaseFailed(e);
            pause(RelaySettings.OUTAGE_BACKOFF.delay(databaseFailures));
        } catch (RuntimeException | Error e) {
            log.unexpected(e);
            pause(settings.pollInterval());
        }
    }

    private void batchDone() {
        if (carefulPasses > 0) {
            carefulPasses--;
        } else {
            silences = 0;
        }
    }

    private void databaseWorks() {
        if (databaseFailures > 0) {
            databaseFailures = 0;
            log.databaseBack();
        }
    }

    /** A batch was not acknowledged in time. Without a transaction: is it the broker, or something in the batch? */
    private void checkBroker(PassResult result) throws InterruptedException {
        if (stopped) {
            return;
        }
        if (probe.answers()) {
            log.brokerSilent(result.brokerFailure());
            carefulPasses = Math.min(MAX_CAREFUL_PASSES, 1 << Math.min(silences, 6));
            silences++;
            if (silences > 1 && result.published() == 0) {
                // Not even one at a time, or no producer could be made.
                pause(RelaySettings.OUTAGE_BACKOFF.delay(silences));
            }
            return;
        }
        log.brokerFailed(result.brokerFailure());
        int failures = 0;
        do {
            failures++;
            pause(RelaySettings.OUTAGE_BACKOFF.delay(failures));
        } while (!stopped && !probe.answers());
        if (!stopped) {
            log.brokerBack();
        }
    }

    /** Waits, whatever is written meanwhile; only a stop ends it early. */
    private void pause(Duration duration) throws InterruptedException {
        Deadline end = Deadline.in(duration);
        while (!stopped && !end.passed()) {
            wakeUp.await(Duration.ofNanos(end.remainingNanos()));
        }
    }

    /** Ends the loop after the batch in progress. */
    void stop() {
        stopped = true;
        wakeUp.wakeUp();
    }

    /** Has the batch in progress end now, with what was acknowledged. */
    void giveUp() {
        pass.giveUp();
    }

    /** Has a database call in progress fail now. */
    void abort() {
        pass.abort();
    }

    /** Closes the ways to Kafka, once the loop has ended. */
    @Override
    public void close() {
        pass.close();
        probe.close();
    }
}
