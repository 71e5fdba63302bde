package dev.outbox.soak;

import dev.outbox.testservers.OwnPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** What goes wrong at the database, and what others do there. It is stopped by one at a time. */
final class DatabaseFaults {

    /** Sessions of relays have names that begin so. */
    static final String RELAY_SESSIONS = "relay-";

    private static final String TERMINATE = """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE '%s%%'
            """.formatted(RELAY_SESSIONS);

    /** Keeps everything alive that was there at its begin. */
    private static final String SNAPSHOT = "SELECT count(*) FROM outbox_lane";

    private static final String LOCK_SOME = """
            SELECT id FROM outbox_message WHERE published_at IS NULL AND dead_at IS NULL ORDER BY id DESC LIMIT 5
            FOR UPDATE SKIP LOCKED
            """;

    private final OwnPostgres postgres;
    private final String jdbcUrl;
    private final Journal journal;
    private final ReentrantLock process = new ReentrantLock();

    DatabaseFaults(OwnPostgres postgres, String jdbcUrl, Journal journal) {
        this.postgres = postgres;
        this.jdbcUrl = jdbcUrl;
        this.journal = journal;
    }

    void restart(Duration away) throws InterruptedException {
        stopFor(postgres::stop, away);
    }

    void kill(Duration away) throws InterruptedException {
        stopFor(postgres::stopHard, away);
    }

    private void stopFor(Runnable stop, Duration away) throws InterruptedException {
        process.lockInterruptibly();
        try {
            stop.run();
            TimeUnit.MILLISECONDS.sleep(away.toMillis());
            Patience.start("PostgreSQL", postgres::startAgain, journal);
        } finally {
            process.unlock();
        }
    }

    void terminateSessions() throws InterruptedException {
        process.lockInterruptibly();
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(TERMINATE);
        } catch (SQLException e) {
            journal.line("no session terminated (" + e.getMessage() + ")");
        } finally {
            process.unlock();
        }
    }

    /** Someone else's transaction, which keeps a snapshot. */
    void foreignTransaction(Duration duration) throws InterruptedException {
        transaction(SNAPSHOT, duration);
    }

    /** Someone else's transaction, which locks rows that wait to be published. */
    void lockRows(Duration duration) throws InterruptedException {
        transaction(LOCK_SOME, duration);
    }

    /** It may end before its time, when another fault ends the database. */
    private void transaction(String sql, Duration duration) throws InterruptedException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute(sql);
            TimeUnit.MILLISECONDS.sleep(duration.toMillis());
            connection.rollback();
        } catch (SQLException e) {
            journal.line("a foreign transaction ended early (" + e.getMessage() + ")");
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl + "?ApplicationName=foreign", postgres.user(), postgres.password());
    }
}
