package dev.outbox.relay;

import dev.outbox.OutboxListener.Batch;
import dev.outbox.OutboxProperties.OnDeadLetter;
import dev.outbox.relay.OutboxStore.Limits;
import dev.outbox.relay.PassResult.Next;
import dev.outbox.relay.PendingMessage.OrderKey;
import dev.outbox.schema.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One batch, in one transaction: claim lanes, read their oldest messages, publish them, mark them.
 * For one thread; only {@link #giveUp()} and {@link #abort()} may come from another.
 */
final class RelayPass implements AutoCloseable {

    /**
     * Lanes that one batch takes at most: half of them, so that another relay finds some. The claim starts where the
     * one before ended, so each lane has its turn at every second batch, whatever waits in the others.
     */
    private static final int MAX_LANES = OutboxStore.LANES / 2;

    /** SQLState of a lock that was not to be had in time. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Rows of a batch that is sent one at a time. */
    private static final int CAREFUL_BATCH = 100;

    /** Claims in a row that may turn out empty, before the relay sleeps over it. */
    private static final int MAX_EMPTY_CLAIMS = 3;

    private final OutboxDatabase database;
    private final OutboxStore store;
    private final BatchPublisher publisher;
    private final RelaySettings settings;
    private final Marking marking;
    private final HeldBack heldBack;
    private final LowWaterMarks lowWaterMarks;
    private final Listeners listeners;
    private int firstLane;
    private int emptyClaims;
    private volatile @Nullable BatchTransaction current;

    RelayPass(
            OutboxDatabase database, BatchPublisher publisher, RelaySettings settings, RelayLog log, RelayHooks hooks) {
        this.database = database;
        this.store = new OutboxStore(database, settings.publishTimeout());
        this.lowWaterMarks = new LowWaterMarks(new LaneSurvey(database), System::nanoTime);
        this.publisher = publisher;
        this.settings = settings;
        this.marking = new Marking(
                database,
                store,
                new RetryDecisions(hooks.retryPolicy(), settings.retry(), log),
                log,
                settings.onDeadLetter() == OnDeadLetter.BLOCK);
        this.heldBack = marking.heldBack();
        this.listeners = new Listeners(hooks.listeners(), log);
    }

    /**
     * Does one batch.
     *
     * @param careful whether to send one message at a time, after the broker kept silent about a batch
     * @throws SQLException if the database fails; what the broker acknowledged will be sent once more then
     */
    PassResult runOnce(boolean careful) throws SQLException {
        long start = System.nanoTime();
        PublishOutcome outcome;
        Marked marked;
        try (BatchTransaction transaction =
                BatchTransaction.begin(database.dataSource(), store, settings.networkTimeout())) {
            current = transaction;
            Connection connection = transaction.connection();
            Exclusions held = heldBack.exclusions();
            lowWaterMarks.raise(connection, held);
            lowWaterMarks.check(connection);
            // CLAIM
            long claimStart = System.nanoTime();
            List<Short> lanes = store.claim(connection, firstLane, MAX_LANES, held, lowWaterMarks.of(held));
            lowWaterMarks.lookTook(Duration.ofNanos(System.nanoTime() - claimStart));
            if (lanes.isEmpty()) {
                emptyClaims = 0;
                return PassResult.idle();
            }
            firstLane = (lanes.get(lanes.size() - 1) + 1) % OutboxStore.LANES;
            int rows = careful ? Math.min(CAREFUL_BATCH, settings.batchSize()) : settings.batchSize();
            Limits limits = new Limits(ceilDiv(rows, lanes.size()), settings.batchBytes());
            lowWaterMarks.check(connection);
            List<PendingMessage> read = store.read(connection, lanes, limits, held, lowWaterMarks.of(held));
            int heldBefore = heldBack.size();
            List<PendingMessage> blocked =
                    read.stream().filter(PendingMessage::isBlocked).toList();
            List<PendingMessage> due = due(read);
            if (due.isEmpty()) {
                if (marking.putAside(connection, blocked)) {
                    transaction.commit();
                }
                return nothingDue(!blocked.isEmpty() || heldBack.size() > heldBefore);
            }
            emptyClaims = 0;
            // PUBLISH
            outcome = publisher.publish(due, careful);
            // MARK
            try {
                marked = marking.mark(connection, outcome);
                marking.putAside(connection, blocked);
            } catch (SQLException e) {
                if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                    throw e;
                }
                marked = marking.markAroundLocks(connection, outcome);
            }
            transaction.commit();
        } finally {
            current = null;
        }
        listeners.committed(
                marked,
                new Batch(
                        marked.published().size(),
                        marked.failed().size(),
                        Duration.ofNanos(System.nanoTime() - start)));
        if (outcome.brokerFailure() != null) {
            return new PassResult(outcome.published().size(), Next.CHECK_BROKER, outcome.brokerFailure());
        }
        return new PassResult(outcome.published().size(), outcome.isEmpty() ? Next.WAIT : Next.AGAIN, null);
    }

    /** The lanes were drained just before they were claimed, or what is in them waits and is held back from now on. */
    private PassResult nothingDue(boolean moreHeldBack) {
        emptyClaims = moreHeldBack ? 0 : emptyClaims + 1;
        return emptyClaims > MAX_EMPTY_CLAIMS ? PassResult.idle() : new PassResult(0, Next.AGAIN, null);
    }

    /**
     * Leaves out messages that wait for their next attempt, and all that comes after them in their key; and messages of
     * blocked keys.
     */
    private List<PendingMessage> due(List<PendingMessage> read) {
        Set<OrderKey> waiting = new HashSet<>();
        List<PendingMessage> due = new ArrayList<>(read.size());
        for (PendingMessage message : read) {
            if (message.isBlocked()) {
                continue;
            }
            if (message.dueIn().isZero() && !waiting.contains(message.orderKey())) {
                due.add(message);
            } else if (waiting.add(message.orderKey())) {
                marking.hold(message, message.dueIn());
            }
        }
        return due;
    }

    private static int ceilDiv(int dividend, int divisor) {
        return (dividend + divisor - 1) / divisor;
    }

    /** How long it is until something that was held back may go. */
    Duration nextRelease() {
        return heldBack.nextRelease();
    }

    /** Whether it is not known yet of some topic whether it works. */
    boolean awaitsTopics() {
        return heldBack.hasTopicInDoubt();
    }

    /** Tells the listeners that the relay could not work. */
    void failed(Throwable cause) {
        listeners.relayFailed(cause);
    }

    /** Ends a batch in progress early, with what was acknowledged. */
    void giveUp() {
        publisher.giveUp();
    }

    /** Cuts the database connection of a batch in progress. */
    void abort() {
        BatchTransaction transaction = current;
        if (transaction != null) {
            transaction.abort();
        }
    }

    @Override
    public void close() {
        publisher.close();
    }
}
