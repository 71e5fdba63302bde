package dev.outbox.transaction;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Sees each transaction that a manager begins, and which connections it brings: those that are bound to the thread
 * after the begin and were not before. So it does without knowing the kinds of managers and their DataSources.
 */
final class TransactionWatch implements TransactionExecutionListener {

    private static final ThreadLocal<@Nullable Begin> BEGINS = new ThreadLocal<>();

    @Override
    public void beforeBegin(TransactionExecution transaction) {
        // A savepoint is no transaction of its own.
        if (transaction.isNewTransaction()) {
            BEGINS.set(new Begin(transaction, boundConnections(), BEGINS.get()));
        }
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        Begin begin = take(transaction);
        if (begin != null && beginFailure == null && TransactionSynchronizationManager.isSynchronizationActive()) {
            Set<ConnectionHolder> connections = boundConnections();
            connections.removeAll(begin.boundBefore());
            BegunTransaction.begin(connections);
        }
    }

    private static Set<ConnectionHolder> boundConnections() {
        Set<ConnectionHolder> connections = new HashSet<>();
        for (Object resource :
                TransactionSynchronizationManager.getResourceMap().values()) {
            if (resource instanceof ConnectionHolder connection) {
                connections.add(connection);
            }
        }
        return connections;
    }

    private static @Nullable Begin take(TransactionExecution transaction) {
        Begin begin = BEGINS.get();
        while (begin != null && begin.transaction() != transaction) {
            begin = begin.outer();
        }
        if (begin == null || begin.outer() == null) {
            BEGINS.remove();
        } else {
            BEGINS.set(begin.outer());
        }
        return begin;
    }

    /** A begin in progress. To get its connection it may begin another one, as a routing DataSource does that looks up. */
    private record Begin(
            TransactionExecution transaction,
            Set<ConnectionHolder> boundBefore,
            @Nullable Begin outer) {}
}
