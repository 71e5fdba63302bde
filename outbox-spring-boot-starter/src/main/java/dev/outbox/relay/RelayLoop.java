package dev.outbox.relay;

import dev.outbox.OutboxRelayException;
import dev.outbox.kafka.BrokerProbe;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Repeats the pass: at once while there is work, else when woken or after the poll interval. Pauses
 * while the database or the broker is away, and survives everything else. Runs in a thread of its own
 * until it is told to stop.
 */
final class RelayLoop implements Runnable, AutoCloseable {

    /** Passes in a row that are sent one message at a time, at most, before another try with whole batches. */
    private static final int MAX_CAREFUL_PASSES = 64;

    /** Passes by hand that publish nothing, in a row: an answer that nobody needs any more would be waited for in vain. */
    private static final int MAX_FRUITLESS_PASSES = 200;

    /** How often a run by hand asks for an answer that is on its way. */
    private static final Duration LOOK_UP = Duration.ofMillis(50);

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

    /**
     * Repeats the pass in the calling thread until there is nothing left that could be done now.
     *
     * @return messages that the broker acknowledged
     */
    int runUntilIdle() {
        int published = 0;
        int fruitless = 0;
        try {
            boolean goesOn = true;
            while (goesOn && fruitless < MAX_FRUITLESS_PASSES) {
                PassResult result = pass.runOnce(carefulPasses > 0);
                published += result.published();
                fruitless = result.published() > 0 ? 0 : fruitless + 1;
                switch (result.next()) {
                    case AGAIN -> batchDone();
                    case WAIT -> goesOn = awaitTopics();
                    case CHECK_BROKER -> goOnCarefully(result);
                }
            }
        } catch (SQLException e) {
            throw new OutboxRelayException("The outbox database failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutboxRelayException("The run was interrupted.", e);
        }
        return published;
    }

    /** Whether there are topics of which it is not known yet whether they work; after a moment, if so. */
    private boolean awaitTopics() throws InterruptedException {
        if (!pass.awaitsTopics()) {
            return false;
        }
        pause(LOOK_UP);
        return true;
    }

    private void goOnCarefully(PassResult result) {
        boolean answers = probe.answers();
        if (!answers || (carefulPasses > 0 && result.published() == 0)) {
            throw new OutboxRelayException(
                    answers
                            ? "Kafka answers, but does not acknowledge what it is sent."
                            : "Kafka does not answer. Is it there, and is spring.kafka.bootstrap-servers its address?",
                    result.brokerFailure());
        }
        carefulPasses = MAX_CAREFUL_PASSES;
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
            pass.failed(e);
            pause(RelaySettings.OUTAGE_BACKOFF.delay(databaseFailures));
        } catch (RuntimeException | Error e) {
            log.unexpected(e);
            pass.failed(e);
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
        pass.failed(result.brokerFailure() != null ? result.brokerFailure() : new TimeoutException("no answer"));
        int failures = 0;
        do {
            log.brokerFailed(probe.refusal() != null ? probe.refusal() : result.brokerFailure());
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
