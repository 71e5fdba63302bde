package dev.outbox.transaction;

import dev.outbox.OutboxTransactionException;
import dev.outbox.schema.OutboxDatabase;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction of the calling thread: may a row of the outbox join it? It may if the innermost transaction of the
 * thread brought a connection of the outbox's DataSource, and has not ended. That such a connection is bound to the
 * thread says little: Spring binds one at each use inside a transaction of any other manager, too, and leaves the one
 * of a transaction bound in the callbacks after its end.
 */
public final class CallerTransaction {

    private static final String NONE =
            "No transaction is running in this thread. Call the outbox in a @Transactional method, through the Spring"
                    + " proxy, or in a TransactionTemplate, with the transaction manager of the outbox's DataSource.";
    private static final String COMPLETED =
            "The transaction of this thread has completed already. Write to the outbox before the commit: in the"
                    + " transaction itself or in a BEFORE_COMMIT listener; or start a new transaction (REQUIRES_NEW).";
    private static final String READ_ONLY =
            "The running transaction is read-only. Write to the outbox in a transaction that may write.";
    private static final String ANOTHER_INSIDE =
            "A transaction of another transaction manager was begun inside the one of the outbox's DataSource. Write to"
                    + " the outbox before it or after it, or inside it in a new transaction (REQUIRES_NEW) of the"
                    + " transaction manager of the outbox's DataSource.";
    private static final String ANOTHER =
            "The running transaction is not one of the outbox's DataSource. Use the transaction manager of that"
                    + " DataSource, and begin its transaction inside those of other managers.";

    private final List<Way> ways;

    public CallerTransaction(OutboxDatabase database) {
        this.ways = ResourceKeys.of(database.dataSource()).stream()
                .map(key -> new Way(key, new JdbcTemplate(key)))
                .toList();
    }

    /**
     * Joins the running transaction, if it will commit what is written now. The database is not asked.
     *
     * @return what works on the connection of that transaction, to be used at once
     * @throws OutboxTransactionException if there is no such transaction, saying why and what to do
     */
    public JdbcTemplate join() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            // Kafka's manager hides the transaction outside of its own, and does not show its own.
            throw refused(isSuspended() ? ANOTHER_INSIDE : NONE);
        }
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            throw refused(COMPLETED);
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw refused(READ_ONLY);
        }
        String reason = ANOTHER;
        for (Way way : ways) {
            if (TransactionSynchronizationManager.getResource(way.key()) instanceof ConnectionHolder connection) {
                switch (BegunTransaction.stateOf(connection)) {
                    case OPEN -> {
                        return way.jdbc();
                    }
                    case UNKNOWN -> {
                        if (seemsBegunUnseen(way)) {
                            BegunTransaction.begin(List.of(connection));
                            return way.jdbc();
                        }
                    }
                    case SUSPENDED -> reason = ANOTHER_INSIDE;
                    case COMPLETED -> reason = COMPLETED;
                }
            }
        }
        throw refused(reason);
    }

    private boolean isSuspended() {
        return ways.stream()
                .map(way -> TransactionSynchronizationManager.getResource(way.key()))
                .anyMatch(resource -> resource instanceof ConnectionHolder connection
                        && BegunTransaction.stateOf(connection) == BegunTransaction.State.SUSPENDED);
    }

    /**
     * Whether the connection looks like that of a transaction whose manager takes no listener, or is no bean. It does
     * not if a known transaction is the innermost one, or a connection was bound for its use alone: not by the begin of
     * a transaction.
     */
    private static boolean seemsBegunUnseen(Way way) {
        for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
            if (each instanceof BegunTransaction || each.getClass().getEnclosingClass() == DataSourceUtils.class) {
                return false;
            }
        }
        return Boolean.FALSE.equals(way.jdbc().execute((ConnectionCallback<Boolean>) Connection::getAutoCommit));
    }

    private static OutboxTransactionException refused(String reason) {
        return new OutboxTransactionException(reason);
    }

    private record Way(DataSource key, JdbcTemplate jdbc) {}
}
