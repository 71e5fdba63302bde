package dev.outbox.operations;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetterFilter;
import dev.outbox.DeadLetterPage;
import dev.outbox.OutboxOperations;
import dev.outbox.schema.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds dead letters and decides about them. What is done to many is done in chunks, each in a transaction. */
final class JdbcOutboxOperations implements OutboxOperations {

    private static final int CHUNK = 500;

    private final OperatorTransaction transaction;
    private final DeadLetterRows rows;
    private final Runnable wakeUp;

    /**
     * Creates the operations.
     *
     * @param wakeUp tells the relay of this process, if there is one, that there may be something to publish
     */
    JdbcOutboxOperations(OutboxDatabase database, Runnable wakeUp) {
        this.transaction = new OperatorTransaction(database);
        this.rows = new DeadLetterRows(database);
        this.wakeUp = wakeUp;
    }

    @Override
    public DeadLetterPage findDeadLetters(DeadLetterFilter filter, int limit, @Nullable String after) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + MAX_PAGE + " dead letters, not " + limit + ".");
        }
        Position position = after == null ? null : Position.parse(after);
        List<DeadLetter> found = transaction.call(connection -> rows.find(connection, filter, position, limit + 1));
        if (found.size() <= limit) {
            return new DeadLetterPage(found, null);
        }
        return new DeadLetterPage(
                found.subList(0, limit), Position.of(found.get(limit - 1)).toString());
    }

    @Override
    public Optional<DeadLetter> findDeadLetter(UUID messageId) {
        return transaction.call(connection -> rows.find(connection, messageId)).stream()
                .findFirst();
    }

    @Override
    public boolean retry(UUID messageId) {
        return decide(messageId, rows::retry);
    }

    @Override
    public long retry(DeadLetterFilter filter) {
        return decide(filter, rows::retry);
    }

    @Override
    public boolean discard(UUID messageId) {
        return decide(messageId, rows::discard);
    }

    @Override
    public long discard(DeadLetterFilter filter) {
        return decide(filter, rows::discard);
    }

    private boolean decide(UUID messageId, Decision decision) {
        List<DeadLetter> found = transaction.call(connection -> rows.find(connection, messageId));
        return !found.isEmpty() && decide(found, decision) > 0;
    }

    private long decide(DeadLetterFilter filter, Decision decision) {
        DeadLetterFilter known = upTo(transaction.call(rows::now), filter);
        long decided = 0;
        Position position = null;
        while (true) {
            Position after = position;
            List<DeadLetter> found = transaction.call(connection -> rows.find(connection, known, after, CHUNK));
            if (found.isEmpty()) {
                return decided;
            }
            decided += decide(found, decision);
            position = Position.of(found.get(found.size() - 1));
        }
    }

    /** One that is retried may die again while the others are still to be retried. */
    private static DeadLetterFilter upTo(Instant now, DeadLetterFilter filter) {
        Instant before = filter.deadBefore();
        return before != null && before.isBefore(now) ? filter : filter.deadBefore(now);
    }

    private int decide(List<DeadLetter> letters, Decision decision) {
        List<Long> ids =
                letters.stream().map(letter -> letter.message().sequence()).toList();
        int decided = transaction.call(connection -> {
            rows.enterLanes(connection, ids);
            List<Long> undecided = decision.on(connection, ids);
            rows.free(connection, undecided);
            return undecided.size();
        });
        wakeUp.run();
        return decided;
    }

    /** What becomes of dead letters: returns the ids of those that were some still. */
    @FunctionalInterface
    private interface Decision {

        List<Long> on(Connection connection, List<Long> ids) throws SQLException;
    }
}
