package dev.outbox;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;

/**
 * What can be configured under {@code outbox}. A value that cannot work stops the start-up with the
 * property's name.
 *
 * @param enabled Whether the outbox is set up at all.
 * @param schema Database schema of the outbox tables. By default they are found along the connection's search path
 *     and created in its first schema.
 * @param dataSource Bean name of the DataSource whose transactions carry the messages. By default it is the one marked
 *     with @OutboxDataSource, else the primary or only one.
 * @param transactionManager Bean name of the transaction manager in which the outbox calls the application. By default
 *     it is one that manages the DataSource of the outbox.
 * @param flyway Creation of the tables.
 * @param writer Writing of messages.
 * @param relay Publishing of messages.
 * @param metrics Measurement of the backlog.
 */
@ConfigurationProperties("outbox")
public record OutboxProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String schema,
        @Nullable String dataSource,
        @Nullable String transactionManager,
        @DefaultValue Flyway flyway,
        @DefaultValue Writer writer,
        @DefaultValue Relay relay,
        @DefaultValue Metrics metrics) {

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,62}");

    public OutboxProperties {
        require(
                schema == null || IDENTIFIER.matcher(schema).matches(),
                "outbox.schema",
                schema,
                "must be the name of a schema: a letter or underscore, then at most 62 letters, digits, _ or $");
    }

    /**
     * Creation of the tables.
     *
     * @param enabled Whether to create and update the outbox tables by Flyway at start-up, when Flyway is on the
     *     class path. By default as spring.flyway.enabled says.
     */
    public record Flyway(@Nullable Boolean enabled) {}

    /**
     * Writing of messages.
     *
     * @param maxMessageSize Largest message accepted: payload, key and headers, as sent to Kafka. Keep it below the
     *     topic's max.message.bytes and the producer's max.request.size.
     */
    public record Writer(@DefaultValue("960KB") DataSize maxMessageSize) {

        public Writer {
            require(
                    maxMessageSize.toBytes() >= 1 && maxMessageSize.compareTo(DataSize.ofMegabytes(128)) <= 0,
                    "outbox.writer.max-message-size",
                    maxMessageSize,
                    "must be between 1B and 128MB");
        }
    }

    /**
     * Publishing of messages.
     *
     * @param enabled Whether this process publishes messages. Without it, it only writes them.
     * @param autoStartup Whether the relay starts with the application. Without it, it publishes when it is run by
     *     hand, as a test does.
     * @param pollInterval Longest time to wait before looking for messages again, when no commit in this process
     *     wakes the relay earlier.
     * @param batchSize Most messages published in one transaction.
     * @param batchBytes Most bytes of payloads, keys and headers published in one transaction. A single larger
     *     message still goes.
     * @param publishTimeout Longest time that a batch may take. Another instance takes over the work of a vanished
     *     host after this time.
     * @param shutdownTimeout Longest time to wait at shutdown for the batch in progress.
     * @param retry Attempts for a message that cannot be published, and the delays between them.
     * @param onDeadLetter What becomes of the key of a message that is given up: it goes on without it, or stays
     *     blocked until an operator retries or discards it.
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("true") boolean autoStartup,
            @DefaultValue("500ms") Duration pollInterval,
            @DefaultValue("2000") int batchSize,
            @DefaultValue("8MB") DataSize batchBytes,
            @DefaultValue("10s") Duration publishTimeout,
            @DefaultValue("10s") Duration shutdownTimeout,
            @DefaultValue Retry retry,
            @DefaultValue("continue") OnDeadLetter onDeadLetter) {

        public Relay {
            requireWithin("outbox.relay.poll-interval", pollInterval, Duration.ofMillis(1), Duration.ofHours(1));
            require(
                    batchSize >= 1 && batchSize <= 10_000,
                    "outbox.relay.batch-size",
                    batchSize,
                    "must be between 1 and 10000");
            require(
                    batchBytes.toBytes() >= 1 && batchBytes.compareTo(DataSize.ofMegabytes(256)) <= 0,
                    "outbox.relay.batch-bytes",
                    batchBytes,
                    "must be between 1B and 256MB");
            requireWithin(
                    "outbox.relay.publish-timeout", publishTimeout, Duration.ofSeconds(1), Duration.ofMinutes(10));
            requireWithin("outbox.relay.shutdown-timeout", shutdownTimeout, Duration.ZERO, Duration.ofMinutes(10));
        }
    }

    /** What becomes of the key of a dead letter. */
    public enum OnDeadLetter {

        /** Its later messages are published without it. */
        CONTINUE,

        /** Its later messages wait until an operator retries or discards it. */
        BLOCK
    }

    /**
     * Attempts for a message that cannot be published. The delays between them grow from the initial one by the
     * multiplier up to the longest one, and each is drawn at random between nothing and that bound.
     *
     * @param maxAttempts Failed attempts after which a message is given up and becomes a dead letter.
     * @param initialDelay Bound of the delay after the first failure.
     * @param multiplier Growth of the bound with each further failure.
     * @param maxDelay Largest bound.
     */
    public record Retry(
            @DefaultValue("10") int maxAttempts,
            @DefaultValue("1s") Duration initialDelay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("5m") Duration maxDelay) {

        public Retry {
            require(
                    maxAttempts >= 1 && maxAttempts <= 1_000_000,
                    "outbox.relay.retry.max-attempts",
                    maxAttempts,
                    "must be between 1 and 1000000");
            requireWithin("outbox.relay.retry.initial-delay", initialDelay, Duration.ofMillis(1), Duration.ofDays(1));
            require(
                    multiplier >= 1 && multiplier <= 100,
                    "outbox.relay.retry.multiplier",
                    multiplier,
                    "must be between 1 and 100");
            requireWithin("outbox.relay.retry.max-delay", maxDelay, Duration.ofMillis(1), Duration.ofDays(1));
            require(
                    maxDelay.compareTo(initialDelay) >= 0,
                    "outbox.relay.retry.max-delay",
                    maxDelay,
                    "must not be shorter than outbox.relay.retry.initial-delay");
        }
    }

    /**
     * Measurement of the backlog.
     *
     * @param sampleInterval Time between two samples of the backlog. A scrape of the metrics never asks the
     *     database.
     */
    public record Metrics(@DefaultValue("10s") Duration sampleInterval) {

        public Metrics {
            requireWithin(
                    "outbox.metrics.sample-interval", sampleInterval, Duration.ofMillis(100), Duration.ofHours(1));
        }
    }

    private static void requireWithin(String property, Duration value, Duration least, Duration most) {
        require(
                value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                property,
                text(value),
                "must be between " + text(least) + " and " + text(most));
    }

    /** In the largest unit that holds it, as it would be written in the configuration. */
    private static String text(Duration value) {
        ChronoUnit unit = Stream.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS)
                .filter(larger -> !value.isZero()
                        && value.toMillis() % larger.getDuration().toMillis() == 0)
                .findFirst()
                .orElse(ChronoUnit.MILLIS);
        return DurationStyle.SIMPLE.print(value, unit);
    }

    private static void require(boolean holds, String property, @Nullable Object value, String reason) {
        if (!holds) {
            throw new InvalidConfigurationPropertyValueException(property, value, reason);
        }
    }
}
