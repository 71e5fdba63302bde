package dev.outbox.relay;

import dev.outbox.OutboxProperties;
import dev.outbox.OutboxProperties.OnDeadLetter;
import java.time.Duration;

/**
 * What the relay is told by configuration.
 *
 * @param autoStartup whether to run by itself
 * @param batchSize most rows of a batch
 * @param batchBytes most bytes of payloads, keys and headers of a batch
 * @param publishTimeout longest time of a transaction
 * @param retry what becomes of a message that failed, unless the application knows better
 * @param onDeadLetter what becomes of the key of a message that is given up
 */
record RelaySettings(
        boolean autoStartup,
        Duration pollInterval,
        int batchSize,
        long batchBytes,
        Duration publishTimeout,
        Duration shutdownTimeout,
        ExponentialRetry retry,
        OnDeadLetter onDeadLetter) {

    /** Topics and brokers come back by themselves, and soon: their backoff is short and not for configuration. */
    static final Backoff TOPIC_BACKOFF = new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1));

    static final Backoff OUTAGE_BACKOFF = new Backoff(Duration.ofMillis(250), 2, Duration.ofSeconds(10));

    private static final Duration MAX_PROBE = Duration.ofSeconds(2);

    static RelaySettings of(OutboxProperties.Relay relay) {
        return new RelaySettings(
                relay.autoStartup(),
                relay.pollInterval(),
                relay.batchSize(),
                relay.batchBytes().toBytes(),
                relay.publishTimeout(),
                relay.shutdownTimeout(),
                new ExponentialRetry(
                        relay.retry().maxAttempts(),
                        new Backoff(
                                relay.retry().initialDelay(),
                                relay.retry().multiplier(),
                                relay.retry().maxDelay())),
                relay.onDeadLetter());
    }

    /** Longest time of step 3. The rest of the transaction's time is for a last look at the broker. */
    Duration sendTimeout() {
        return publishTimeout.multipliedBy(7).dividedBy(10);
    }

    /** Longest silence of the database while it works for the relay. */
    Duration networkTimeout() {
        return publishTimeout.plusSeconds(20);
    }

    /** Longest time to ask whether the broker answers. */
    Duration probeTimeout() {
        Duration share = publishTimeout.dividedBy(5);
        return share.compareTo(MAX_PROBE) < 0 ? share : MAX_PROBE;
    }
}
