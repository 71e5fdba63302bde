package dev.outbox.operations;

import dev.outbox.schema.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/** Work in a transaction of its own, on a connection of its own, whatever transaction the calling thread is in. */
final class OperatorTransaction {

    private static final Logger log = LoggerFactory.getLogger(OperatorTransaction.class);

    /** Set inside the transaction, where it holds whatever is the default. Each statement has to see what was committed. */
    private static final String BEGIN = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE";

    private static final SQLExceptionTranslator TRANSLATOR = new SQLExceptionSubclassTranslator();

    private final DataSource dataSource;

    OperatorTransaction(OutboxDatabase database) {
        this.dataSource = database.ownConnections();
    }

    /** Does the work and commits. */
    <T> T call(Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try (Statement begin = connection.createStatement()) {
                begin.execute(BEGIN);
                T result = work.on(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollBack(connection);
                throw e;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw translated(e);
        }
    }

    private static void rollBack(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // The session is gone, and the transaction with it.
            log.debug("A transaction could not be rolled back", e);
        }
    }

    private static DataAccessException translated(SQLException e) {
        DataAccessException translated = TRANSLATOR.translate("dead letters of the outbox", null, e);
        return translated != null ? translated : new UncategorizedSQLException("dead letters of the outbox", null, e);
    }

    /** Statements on a connection. */
    @FunctionalInterface
    interface Work<T> {

        T on(Connection connection) throws SQLException;
    }
}
