package dev.outbox.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction of one batch, on a connection of the outbox's DataSource. Not one of Spring's: those
 * set the isolation outside of the transaction, log a session that was ended as an error, and belong to
 * the application. It rolls back unless it is committed.
 */
final class BatchTransaction implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BatchTransaction.class);

    private static final Executor SAME_THREAD = Runnable::run;

    private final Connection connection;
    private final boolean autoCommit;
    private final int networkTimeout;
    private boolean open = true;

    private BatchTransaction(Connection connection, Duration networkTimeout) throws SQLException {
        this.connection = connection;
        try {
            this.networkTimeout = connection.getNetworkTimeout();
            this.autoCommit = connection.getAutoCommit();
            // A database host that vanished must not hold the relay for ever.
            connection.setNetworkTimeout(SAME_THREAD, Math.toIntExact(networkTimeout.toMillis()));
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    static BatchTransaction begin(DataSource dataSource, OutboxStore store, Duration networkTimeout)
            throws SQLException {
        BatchTransaction transaction = new BatchTransaction(dataSource.getConnection(), networkTimeout);
        try {
            store.begin(transaction.connection);
            return transaction;
        } catch (SQLException | RuntimeException e) {
            transaction.close();
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    void commit() throws SQLException {
        connection.commit();
        open = false;
    }

    /** Cuts the connection, from another thread: whatever the transaction waits for fails. */
    void abort() {
        try {
            connection.abort(SAME_THREAD);
        } catch (SQLException e) {
            log.debug("A connection could not be aborted", e);
        }
    }

    @Override
    public void close() {
        try {
            if (open) {
                connection.rollback();
            }
            connection.setAutoCommit(autoCommit);
            connection.setNetworkTimeout(SAME_THREAD, networkTimeout);
        } catch (SQLException e) {
            // The session is gone, and the transaction with it.
            log.debug("A transaction could not be ended in order", e);
        } finally {
            closeQuietly(connection);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("A connection failed to close", e);
        }
    }
}
