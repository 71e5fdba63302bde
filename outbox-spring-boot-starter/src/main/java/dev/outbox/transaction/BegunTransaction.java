package dev.outbox.transaction;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Map;
import java.util.WeakHashMap;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A transaction that was begun in this thread. It is a synchronization of that transaction, so it is told when another
 * transaction begins inside, of whatever manager, and when all is over: as the first one, before any code of the
 * application that runs after the commit.
 */
final class BegunTransaction implements TransactionSynchronization, PriorityOrdered {

    /**
     * The transactions of the connections that they bound to this thread. Spring leaves a connection bound for a while
     * after the end, and lets calls join what has ended: so the end of an entry is that of its connection. The values
     * are weak for the sake of class loaders, as nobody tidies up a thread; until the end Spring holds them.
     */
    private static final ThreadLocal<Map<ConnectionHolder, Reference<BegunTransaction>>> BY_CONNECTION =
            ThreadLocal.withInitial(WeakHashMap::new);

    private boolean suspended;
    private boolean completed;

    private BegunTransaction() {}

    /** Starts to follow the transaction that has just begun, with the connections that it brought. */
    static void begin(Collection<ConnectionHolder> connections) {
        BegunTransaction begun = new BegunTransaction();
        TransactionSynchronizationManager.registerSynchronization(begun);
        for (ConnectionHolder connection : connections) {
            BY_CONNECTION.get().put(connection, new WeakReference<>(begun));
        }
    }

    /** What became of the transaction that brought the connection. */
    static State stateOf(ConnectionHolder connection) {
        Reference<BegunTransaction> reference = BY_CONNECTION.get().get(connection);
        if (reference == null) {
            return State.UNKNOWN;
        }
        BegunTransaction begun = reference.get();
        if (begun == null || begun.completed) {
            return State.COMPLETED;
        }
        return begun.suspended ? State.SUSPENDED : State.OPEN;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void suspend() {
        suspended = true;
    }

    @Override
    public void resume() {
        suspended = false;
    }

    @Override
    public void afterCommit() {
        completed = true;
    }

    @Override
    public void afterCompletion(int status) {
        completed = true;
    }

    /** Where a transaction is. */
    enum State {
        /** It is the innermost of its thread, and has not ended. */
        OPEN,
        /** It waits for another one, which began inside. */
        SUSPENDED,
        /** It has committed or rolled back, or is just about to be left behind. */
        COMPLETED,
        /** No transaction that was seen to begin brought this connection. */
        UNKNOWN
    }
}
