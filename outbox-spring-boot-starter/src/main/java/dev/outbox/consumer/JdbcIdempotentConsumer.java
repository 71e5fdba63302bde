package dev.outbox.consumer;

import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Inserts the event and runs the handler, in one transaction. */
final class JdbcIdempotentConsumer implements IdempotentConsumer {

    private static final int MAX_NAME = 200;

    private final ProcessedEvents events;
    private final PlatformTransactionManager transactions;

    JdbcIdempotentConsumer(ProcessedEvents events, PlatformTransactionManager transactions) {
        this.events = events;
        this.transactions = transactions;
    }

    @Override
    public <E extends Exception> boolean once(String consumer, ConsumerRecord<?, ?> record, Handler<E> handler)
            throws E {
        return once(consumer, EventIds.of(record), handler);
    }

    @Override
    public <E extends Exception> boolean once(String consumer, UUID eventId, Handler<E> handler) throws E {
        if (consumer.isBlank() || consumer.length() > MAX_NAME || consumer.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "A consumer's name has 1 to " + MAX_NAME + " characters, not all blank and none of them NUL.");
        }
        TransactionStatus transaction = transactions.getTransaction(new DefaultTransactionDefinition());
        boolean isNew;
        try {
            isNew = events.add(consumer, eventId);
            if (isNew) {
                handler.handle();
            }
        } catch (Throwable failure) {
            rollBack(transaction, failure);
            throw failure;
        }
        transactions.commit(transaction);
        return isNew;
    }

    private void rollBack(TransactionStatus transaction, Throwable failure) {
        try {
            transactions.rollback(transaction);
        } catch (RuntimeException e) {
            // The handler's failure is the one to report.
            failure.addSuppressed(e);
        }
    }
}
