package dev.outbox.relay;

import dev.outbox.kafka.FailureKind;
import dev.outbox.schema.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Step 4, mark: writes down what became of a batch, and holds back what has to wait. For one thread. */
final class Marking {

    /** Longest time to trust what is held back without looking at it again. */
    private static final Duration HOLD = Duration.ofSeconds(5);

    /** Time to leave out a topic that is being looked up. */
    private static final Duration LOOK_UP = Duration.ofMillis(100);

    private final OutboxStore store;
    private final DeadLetters deadLetters;
    private final RetryDecisions decisions;
    private final HeldBack heldBack = new HeldBack(System::nanoTime, RelaySettings.TOPIC_BACKOFF);
    private final RelayLog log;
    private final boolean block;

    Marking(OutboxDatabase database, OutboxStore store, RetryDecisions decisions, RelayLog log, boolean block) {
        this.store = store;
        this.deadLetters = new DeadLetters(database);
        this.decisions = decisions;
        this.log = log;
        this.block = block;
    }

    HeldBack heldBack() {
        return heldBack;
    }

    Marked mark(Connection connection, PublishOutcome outcome) throws SQLException {
        if (!outcome.published().isEmpty()) {
            store.markPublished(
                    connection,
                    outcome.published().stream().map(PendingMessage::id).toList());
            outcome.published().stream().map(PendingMessage::topic).distinct().forEach(heldBack::topicWorks);
        }
        List<FailedAttempt> failures =
                outcome.failed().stream().map(decisions::decide).toList();
        List<FailedAttempt> again = new ArrayList<>();
        List<FailedAttempt> dead = new ArrayList<>();
        for (FailedAttempt failure : failures) {
            if (failure.delay() == null) {
                dead.add(failure);
                log.messageDead(failure, block);
            } else {
                again.add(failure);
                hold(failure.message(), failure.delay());
                log.messageFailed(failure, failure.delay());
            }
        }
        if (!again.isEmpty()) {
            store.markFailed(connection, again);
        }
        if (!dead.isEmpty()) {
            deadLetters.giveUp(connection, dead, block);
        }
        outcome.unknownTopics().forEach(topic -> heldBack.holdTopicBriefly(topic, LOOK_UP));
        outcome.failedTopics().forEach((topic, cause) -> {
            // A topic that only kept silent may just be slow, and is looked at again soon.
            boolean certain = FailureKind.of(cause) == FailureKind.TOPIC;
            log.topicFailed(topic, heldBack.holdTopic(topic, certain), cause);
        });
        return new Marked(outcome.published(), failures);
    }

    /**
     * Someone has locked one of the rows, and may keep it so. The lanes are free again, for others; what the broker
     * acknowledged is marked all the same, but for the locked rows, which will be published once more.
     */
    Marked markAroundLocks(Connection connection, PublishOutcome outcome) throws SQLException {
        connection.rollback();
        store.begin(connection);
        Set<Long> marked = store.markPublishedUnlessLocked(
                connection, outcome.published().stream().map(PendingMessage::id).toList());
        List<PendingMessage> published = new ArrayList<>();
        for (PendingMessage message : outcome.published()) {
            if (marked.contains(message.id())) {
                published.add(message);
            } else {
                hold(message, HOLD);
                log.rowLocked(message);
            }
        }
        return new Marked(published, List.of());
    }

    /**
     * Puts messages aside that wait behind a dead letter.
     *
     * @return whether the next read will have others
     */
    boolean putAside(Connection connection, List<PendingMessage> blocked) throws SQLException {
        if (blocked.isEmpty()) {
            return false;
        }
        deadLetters.putAside(connection, blocked).forEach(message -> hold(message, HOLD));
        return true;
    }

    void hold(PendingMessage message, Duration wait) {
        heldBack.hold(message, wait.compareTo(HOLD) < 0 ? wait : HOLD);
    }
}
