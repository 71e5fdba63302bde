package dev.outbox.writer;

import dev.outbox.OutboxTransactionException;
import dev.outbox.schema.OutboxDatabase;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction of the calling thread: may a message join it? */
final class CallerTransaction {

    private final OutboxDatabase database;

    CallerTransaction(OutboxDatabase database) {
        this.database = database;
    }

    /**
     * Refuses unless a transaction is running that will commit what is written now.
     *
     * @throws OutboxTransactionException otherwise, saying why and what to do
     */
    void require() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new OutboxTransactionException("No transaction is running in this thread. Call the outbox in a"
                    + " @Transactional method, through the Spring proxy, or in a TransactionTemplate.");
        }
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new OutboxTransactionException("The transaction of this thread has completed already. Write to the"
                    + " outbox before the commit: in the transaction itself or in a BEFORE_COMMIT listener; or start a"
                    + " new transaction (REQUIRES_NEW).");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new OutboxTransactionException(
                    "The running transaction is read-only. Write to the outbox in a transaction that may write.");
        }
        if (!database.hasBoundConnection()) {
            throw new OutboxTransactionException(
                    "The running transaction is not one of the outbox's DataSource. Use the"
                            + " transaction manager of that DataSource, and begin the transaction before other managers'.");
        }
    }
}
