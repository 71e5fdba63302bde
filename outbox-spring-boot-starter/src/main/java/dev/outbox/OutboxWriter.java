package dev.outbox;

import java.util.List;
import java.util.UUID;

/**
 * Writes messages to the outbox, in the transaction of the caller.
 *
 * <p>The message is a row of {@code outbox_message}, inserted through the connection of the running
 * Spring transaction on the outbox {@code DataSource}: it commits, rolls back and follows savepoints
 * together with everything else the transaction does. After the commit the relay publishes it to
 * Kafka.
 *
 * <p>A write is taken until the transaction commits, in {@code BEFORE_COMMIT} listeners too. It is
 * refused where nobody would commit it: without a transaction, in callbacks after the end of one
 * ({@code AFTER_COMMIT} listeners and the like) unless they begin a new one, in a read-only one, and
 * wherever a transaction of another transaction manager is the innermost one.
 *
 * <p>Every check of the message and of the transaction is made before any SQL, so a refused message
 * leaves no row and a transaction that is still usable. Failures of the database itself are Spring's
 * {@code DataAccessException}, and PostgreSQL then takes no more statements of the transaction.
 *
 * <p>Implementations are thread-safe; the transaction is that of the calling thread.
 */
public interface OutboxWriter {

    /**
     * Writes one message, with one round trip to the database.
     *
     * @param message what to publish
     * @return the message id, which consumers receive as header {@code event_id}
     * @throws OutboxTransactionException if no suitable transaction is running in this thread
     * @throws InvalidOutboxMessageException if the message cannot be stored or published as it is
     * @throws DuplicateMessageIdException if the message brings an id that is already in the outbox; if
     *     another transaction has just written it, the call waits for the end of that one
     */
    UUID write(OutboxMessage message);

    /**
     * Writes many messages, in the order of the list, with one round trip to the database per
     * thousand or so: for the database it is much less work than as many single writes. All of them are
     * written, or none.
     *
     * @param messages what to publish; an empty list is allowed and does nothing
     * @return the message ids, in the order of the list
     * @throws OutboxTransactionException if no suitable transaction is running in this thread
     * @throws InvalidOutboxMessageException if one of the messages cannot be stored or published
     * @throws DuplicateMessageIdException if one of them brings an id that is already in the outbox
     */
    List<UUID> writeAll(List<OutboxMessage> messages);
}
