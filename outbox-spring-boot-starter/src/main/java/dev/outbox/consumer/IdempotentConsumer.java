package dev.outbox.consumer;

import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Handles each event once per consumer, however often Kafka delivers it.
 *
 * <pre>{@code
 * @KafkaListener(topics = "order.events", groupId = "order-summary")
 * void on(ConsumerRecord<String, String> record) {
 *     idempotentConsumer.once("order-summary", record, () -> summaries.add(record.value()));
 * }
 * }</pre>
 *
 * <p>In one transaction on the outbox {@code DataSource} the event id is inserted into {@code
 * processed_event} and the handler runs, if and only if the id was not there for this consumer. Both
 * commit together. The call joins the running transaction, or else starts one. When the handler
 * throws, checked exceptions included, the transaction rolls back, no row stays, and the exception
 * reaches the caller: a later delivery runs the handler again. Concurrent deliveries of one event
 * wait for the first one's outcome.
 *
 * <p>Effects outside that transaction (an HTTP call, another database) are not covered.
 *
 * <p>Thread-safe.
 */
public interface IdempotentConsumer {

    /**
     * Runs the handler unless this consumer has handled the record's event before. The event is
     * recognised by the record's header {@code event_id}.
     *
     * @param consumer stable name of the consumer, at most 200 characters; two consumers of one service
     *     each get the event once
     * @param record the record as received
     * @param handler the effects; they belong into the database of the outbox
     * @return whether the handler ran; false for a repeat
     * @throws E what the handler throws
     * @throws IllegalStateException if the application has no transaction manager for the outbox's DataSource, or the
     *     running transaction cannot be joined: it is read-only, over, or of another transaction manager
     * @throws InvalidEventIdException if the header is missing, repeated, or no UUID
     */
    <E extends Exception> boolean once(String consumer, ConsumerRecord<?, ?> record, Handler<E> handler) throws E;

    /**
     * Runs the handler unless this consumer has handled the event before.
     *
     * @param consumer stable name of the consumer, at most 200 characters
     * @param eventId identity of the event
     * @param handler the effects; they belong into the database of the outbox
     * @return whether the handler ran; false for a repeat
     * @throws E what the handler throws
     * @throws IllegalStateException if the application has no transaction manager for the outbox's DataSource, or the
     *     running transaction cannot be joined: it is read-only, over, or of another transaction manager
     */
    <E extends Exception> boolean once(String consumer, UUID eventId, Handler<E> handler) throws E;

    /** The effects of an event. */
    @FunctionalInterface
    interface Handler<E extends Exception> {

        /** Handles the event, in the transaction that records it as handled. */
        void handle() throws E;
    }
}
