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
 * <p>Every check of the message and of the transaction is made before any SQL, so a refused message
 * leaves no row and a transaction that is still usable.
 *
 * <p>Implementations are thread-safe; the transaction is that of the calling thread.
 */
public interface OutboxWriter {

    /**
     * Writes one message.
     *
     * @param message what to publish
     * @return the message id, which consumers receive as header {@code event_id}
     * @throws OutboxTransactionException if no suitable transaction is running in this thread
     * @throws InvalidOutboxMessageException if the message cannot be stored or published as it is
     * @throws DuplicateMessageIdException if the message brings an id that is already in the outbox
     */
    UUID write(OutboxMessage message);

    /**
     * Writes many messages, in the order of the list, with one round trip to the database per
     * thousand or so. All of them are written, or none.
     *
     * @param messages what to publish; an empty list is allowed and does nothing
     * @return the message ids, in the order of the list
     * @throws OutboxTransactionException if no suitable transaction is running in this thread
     * @throws InvalidOutboxMessageException if one of the messages cannot be stored or published
     * @throws DuplicateMessageIdException if one of them brings an id that is already in the outbox
     */
    List<UUID> writeAll(List<OutboxMessage> messages);
}
