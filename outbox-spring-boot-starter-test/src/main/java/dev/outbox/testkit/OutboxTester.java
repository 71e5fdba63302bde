package dev.outbox.testkit;

import dev.outbox.ManualRelay;
import dev.outbox.testkit.StoredMessage.State;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The outbox as a test sees it: shows what was written, and publishes it by hand. A bean under {@link
 * AutoConfigureOutboxTester}.
 *
 * <p>It reads in the transaction of the calling thread, so a {@code @Transactional} test sees what it has
 * not committed. Messages of all tests on the same database are in the outbox: begin with {@link #clear()},
 * or pick out your own.
 *
 * <p>Thread-safe.
 */
public final class OutboxTester {

    private final MessageTable messages;
    private final @Nullable ManualRelay relay;

    OutboxTester(MessageTable messages, @Nullable ManualRelay relay) {
        this.messages = messages;
        this.relay = relay;
    }

    /** All messages that are in the outbox, published ones included, in the order in which they were written. */
    public List<StoredMessage> written() {
        return messages.all();
    }

    /** The messages that are to be published, those included that wait for another attempt. */
    public List<StoredMessage> pending() {
        return written().stream().filter(is(State.PENDING)).toList();
    }

    /** The messages that Kafka has acknowledged. */
    public List<StoredMessage> published() {
        return written().stream().filter(is(State.PUBLISHED)).toList();
    }

    /**
     * Publishes all pending messages, as the relay does: to the real broker, in order, and marks them. When
     * it returns, Kafka has them; the consumers may not have received them yet.
     *
     * @return the messages that were pending, in the order in which they were written
     * @throws AssertionError if one of them could not be published; the text shows it, and why
     * @throws dev.outbox.OutboxRelayException if Kafka does not answer
     * @throws IllegalStateException if the calling thread is in a transaction, which the relay would not see; or
     *     if this context has no relay, or one that runs by itself
     */
    public List<StoredMessage> publishAll() {
        ManualRelay manualRelay = relay();
        List<UUID> due = pending().stream().map(StoredMessage::id).toList();
        manualRelay.publishPending();
        Set<UUID> ids = Set.copyOf(due);
        List<StoredMessage> tried =
                written().stream().filter(message -> ids.contains(message.id())).toList();
        List<StoredMessage> unpublished =
                tried.stream().filter(is(State.PUBLISHED).negate()).toList();
        if (!unpublished.isEmpty()) {
            throw notPublished(unpublished, tried.size());
        }
        return tried;
    }

    /**
     * Publishes a message again, with all that is pending: as after a crash between Kafka's acknowledgement
     * and the mark. Consumers receive a record with the same {@code event_id}, and have to recognise it.
     *
     * @throws IllegalStateException if the message is not a published one of this outbox, or as {@link
     *     #publishAll()}
     */
    public void publishAgain(StoredMessage message) {
        relay();
        if (!messages.unmark(message.id())) {
            throw new IllegalStateException("Not published, or no longer in the outbox: " + message
                    + ". Only a message that was published before can be published again.");
        }
        publishAll();
    }

    /**
     * Empties the outbox and the memory of the idempotent consumers, published and pending messages alike. In
     * the transaction of the calling thread if there is one. It needs the right to delete from these tables.
     */
    public void clear() {
        messages.clear();
    }

    private ManualRelay relay() {
        if (relay == null) {
            throw new IllegalStateException(
                    "This test's context has no relay to publish with. Is outbox.relay.enabled=false set, or does the"
                            + " context lack Kafka, as a test slice does?");
        }
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "The test is in a transaction, and the relay sees only what is committed. Take @Transactional off the"
                            + " test, or end the transaction first: TestTransaction.flagForCommit() and end().");
        }
        return relay;
    }

    private static AssertionError notPublished(List<StoredMessage> unpublished, int tried) {
        String hint = unpublished.stream().anyMatch(message -> message.attempts() == 0)
                ? "%nWithout an attempt, a message waits for its topic (is it there, and may it be written?), or another"
                        + " relay on this database has it in hand. The log lines of the relay say what it met."
                : "";
        return new AssertionError(unpublished.stream()
                .map(StoredMessage::toString)
                .collect(Collectors.joining(
                        "%n  ".formatted(),
                        "Not published: %d of %d messages%n  ".formatted(unpublished.size(), tried),
                        hint.formatted())));
    }

    private static Predicate<StoredMessage> is(State state) {
        return message -> message.state() == state;
    }
}
