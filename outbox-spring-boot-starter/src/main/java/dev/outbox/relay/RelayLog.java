package dev.outbox.relay;

import dev.outbox.OutboxListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The relay's log lines about failures: with key-value fields, without payloads or header values, and
 * each kind at most once in half a minute, however often it happens. For one thread.
 */
final class RelayLog {

    private static final Logger log = LoggerFactory.getLogger(OutboxRelay.class);

    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final LongSupplier nanoTime;
    private final Map<String, Repeated> lines = new HashMap<>();

    RelayLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void messageFailed(FailedAttempt attempt, Duration delay) {
        PendingMessage message = attempt.message();
        if (due("message " + message.topic())) {
            about(attempt)
                    .log(
                            "A message to {} cannot be published; its key waits {} ms for the next attempt: {}{}",
                            message.topic(),
                            delay.toMillis(),
                            attempt.failure().error(),
                            suppressed("message " + message.topic()));
        }
    }

    void messageDead(FailedAttempt attempt, boolean block) {
        PendingMessage message = attempt.message();
        if (due("dead " + message.topic())) {
            about(attempt)
                    .log(
                            "A message to {} is given up and is a dead letter now; {}: {}{}",
                            message.topic(),
                            block && message.key() != null
                                    ? "its key is blocked until it is retried or discarded"
                                    : "its key goes on without it",
                            attempt.failure().error(),
                            suppressed("dead " + message.topic()));
        }
    }

    private static LoggingEventBuilder about(FailedAttempt attempt) {
        return log.atWarn()
                .addKeyValue("event_id", attempt.message().messageId())
                .addKeyValue("event_type", attempt.message().eventType())
                .addKeyValue("aggregate_id", attempt.message().aggregateId())
                .addKeyValue("attempt", attempt.failure().attempts());
    }

    void policyFailed(String why) {
        if (due("policy")) {
            log.warn("The RetryPolicy failed, and the default one decides: {}{}", why, suppressed("policy"));
        }
    }

    void listenerFailed(OutboxListener listener, Throwable cause) {
        String line = "listener " + listener.getClass().getName();
        if (due(line)) {
            log.warn("An OutboxListener failed; the relay goes on: {}{}", listener.getClass(), suppressed(line), cause);
        }
    }

    void rowLocked(PendingMessage message) {
        if (due("locked")) {
            log.atWarn()
                    .addKeyValue("event_id", message.messageId())
                    .addKeyValue("event_type", message.eventType())
                    .addKeyValue("aggregate_id", message.aggregateId())
                    .log(
                            "A message was published but cannot be marked: another session has locked its row. It will"
                                    + " be published again{}",
                            suppressed("locked"));
        }
    }

    void topicFailed(String topic, Duration delay, Throwable cause) {
        if (due("topic " + topic)) {
            log.warn(
                    "Topic {} does not work; its messages wait, the next look is in {} ms: {}{}",
                    topic,
                    delay.toMillis(),
                    reason(cause),
                    suppressed("topic " + topic));
        }
    }

    void brokerFailed(@Nullable Throwable cause) {
        if (due("broker")) {
            log.warn(
                    "Kafka does not answer; the relay pauses until it does, and nothing is lost: {}{}",
                    cause == null ? "no answer" : reason(cause),
                    suppressed("broker"));
        }
    }

    void brokerSilent(@Nullable Throwable cause) {
        if (due("silent")) {
            log.warn(
                    "Kafka answers, but did not acknowledge a batch; the next messages are sent one at a time: {}{}",
                    cause == null ? "no answer" : reason(cause),
                    suppressed("silent"));
        }
    }

    void brokerBack() {
        lines.remove("broker");
        log.info("Kafka answers again; the relay goes on.");
    }

    void databaseFailed(Exception cause) {
        if (due("database")) {
            log.warn(
                    "The outbox database failed; the relay tries again, and nothing is lost: {}{}",
                    FailureText.of(cause),
                    suppressed("database"));
            log.debug("The database failure", cause);
        }
    }

    void databaseBack() {
        lines.remove("database");
        log.info("The outbox database works again; the relay goes on.");
    }

    void unexpected(Throwable cause) {
        if (due("unexpected")) {
            log.error("The relay met an unexpected failure and tries again{}", suppressed("unexpected"), cause);
        }
    }

    private static String reason(Throwable cause) {
        String text = FailureText.of(cause);
        return cause.getCause() == null ? text : text + " (" + FailureText.of(cause.getCause()) + ")";
    }

    private boolean due(String line) {
        long now = nanoTime.getAsLong();
        Repeated last = lines.get(line);
        if (last != null && now - last.writtenAt < INTERVAL.toNanos()) {
            last.suppressed++;
            return false;
        }
        Repeated next = new Repeated(now);
        next.before = last == null ? 0 : last.suppressed;
        lines.put(line, next);
        return true;
    }

    private String suppressed(String line) {
        Repeated written = lines.get(line);
        return written == null || written.before == 0 ? "" : " (" + written.before + " times more since the last line)";
    }

    private static final class Repeated {

        private final long writtenAt;
        private int before;
        private int suppressed;

        private Repeated(long writtenAt) {
            this.writtenAt = writtenAt;
        }
    }
}
