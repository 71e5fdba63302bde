package dev.outbox.consumer;

import dev.outbox.OutboxTransactionException;
import dev.outbox.transaction.CallerTransaction;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Inserts the event and runs the handler, in one transaction. */
final class JdbcIdempotentConsumer implements IdempotentConsumer {

    private static final int MAX_NAME = 200;

    private final CallerTransaction caller;
    private final ProcessedEvents events;
    private final @Nullable PlatformTransactionManager transactions;

    JdbcIdempotentConsumer(
            CallerTransaction caller, ProcessedEvents events, @Nullable PlatformTransactionManager transactions) {
        this.caller = caller;
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
        if (transactions == null) {
            throw noCommonTransaction(null);
        }
        TransactionStatus transaction = transactions.getTransaction(new DefaultTransactionDefinition());
        boolean isNew;
        try {
            isNew = events.add(join(), consumer, eventId);
            if (isNew) {
                handler.handle();
            }
        } catch (Throwable failure) {
            rollBack(transactions, transaction, failure);
            throw failure;
        }
        transactions.commit(transaction);
        return isNew;
    }

    private JdbcTemplate join() {
        try {
            return caller.join();
        } catch (OutboxTransactionException e) {
            throw noCommonTransaction(e);
        }
    }

    private static IllegalStateException noCommonTransaction(@Nullable Throwable reason) {
        return new IllegalStateException(
                "The handler's effects and the record of the event could not commit together: there is no transaction"
                        + " manager for the outbox's DataSource, or the running transaction cannot be joined (see the"
                        + " cause). Define a DataSourceTransactionManager (or a JpaTransactionManager) for that"
                        + " DataSource; Spring Boot does not when there is another transaction manager, such as Kafka's.",
                reason);
    }

    private static void rollBack(
            PlatformTransactionManager transactions, TransactionStatus transaction, Throwable failure) {
        try {
            transactions.rollback(transaction);
        } catch (RuntimeException e) {
            // The handler's failure is the one to report.
            failure.addSuppressed(e);
        }
    }
}
