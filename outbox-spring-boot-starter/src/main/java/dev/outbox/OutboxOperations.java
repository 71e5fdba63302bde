package dev.outbox;

import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an operator does about dead letters. A bean wherever there is an outbox, also in a process that only writes.
 *
 * <p>Each call works in transactions of its own, whatever transaction the caller is in, and on a connection of its own;
 * what it has done is committed when it returns. Two operators may act at the same time, and the relays go on meanwhile:
 * each dead letter is decided about once, and each call returns what it has done itself. Thread-safe.
 *
 * <p>All methods throw Spring's {@code DataAccessException} when the database fails. Of a call for many, what was done
 * before stays done, and the call may be repeated.
 */
public interface OutboxOperations {

    /** The most that one page can have. */
    int MAX_PAGE = 1_000;

    /**
     * Finds dead letters, oldest first.
     *
     * @param filter which ones
     * @param limit most of them, 1 to {@value #MAX_PAGE}
     * @param after null for the first ones, or {@link DeadLetterPage#next()} of the page before
     * @throws IllegalArgumentException if the limit is out of its bounds, or {@code after} does not come from a page
     */
    DeadLetterPage findDeadLetters(DeadLetterFilter filter, int limit, @Nullable String after);

    /** Finds one dead letter, by its message id. Empty if there is no such message, or if it is no dead letter. */
    Optional<DeadLetter> findDeadLetter(UUID messageId);

    /**
     * Has a dead letter published after all. It is pending again, with all its attempts before it, and what waits behind
     * it goes on. If it did not block its key, later messages of the key may have been published already: its record
     * then carries the header {@value OutboxHeaders#OUTBOX_RETRIED}.
     *
     * @return whether it was a dead letter
     */
    boolean retry(UUID messageId);

    /**
     * The same for many, in the order in which they were given up. Those that are given up while it runs are left alone.
     *
     * @return how many
     */
    long retry(DeadLetterFilter filter);

    /**
     * Closes a dead letter without publishing it. Its row stays, as one of the dead, until it is removed together with
     * them, but it is found here no more; what waits behind it goes on.
     *
     * @return whether it was a dead letter
     */
    boolean discard(UUID messageId);

    /**
     * The same for many. Those that are given up while it runs are left alone.
     *
     * @return how many
     */
    long discard(DeadLetterFilter filter);
}
