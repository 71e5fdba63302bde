package dev.outbox.schema;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What went wrong in the database at start-up, and what to do about it. */
final class SchemaFailures {

    /** Where the tables come from, if the starter does not make them. */
    static final String SQL_LOCATION = "the SQL is in the starter's jar, dev/outbox/schema/migrations";

    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final String DUPLICATE_PREPARED_STATEMENT = "42P05";
    private static final String INVALID_STATEMENT_NAME = "26000";

    private SchemaFailures() {}

    static OutboxSchemaException notReadable(Exception failure) {
        return new OutboxSchemaException(
                "The outbox cannot read which tables its database has: " + reason(failure),
                action(failure, "Make sure that the database of the outbox's DataSource can be reached."),
                failure);
    }

    static OutboxSchemaException notMigrated(Exception failure) {
        return new OutboxSchemaException(
                "The outbox could not create or update its tables: " + reason(failure),
                action(
                        failure,
                        "Put that right; or set outbox.flyway.enabled=false and run the migrations yourself: "
                                + SQL_LOCATION + "."),
                failure);
    }

    private static String action(Exception failure, String otherwise) {
        SQLException sql = sqlFailure(failure);
        String state = sql == null || sql.getSQLState() == null ? "" : sql.getSQLState();
        return switch (state) {
            case INSUFFICIENT_PRIVILEGE ->
                "Give the database user the right that it lacks. To have the tables made by another user, set"
                        + " spring.flyway.user and spring.flyway.password, or mark a DataSource with @FlywayDataSource."
                        + " To make them yourself, set outbox.flyway.enabled=false and run the migrations: "
                        + SQL_LOCATION + ".";
            case DUPLICATE_PREPARED_STATEMENT, INVALID_STATEMENT_NAME ->
                "A pooler such as PgBouncer in transaction mode has shared prepared statements among sessions. Add"
                        + " prepareThreshold=0 to the JDBC URL, or set PgBouncer's max_prepared_statements (1.21 and"
                        + " later).";
            default -> otherwise;
        };
    }

    private static String reason(Exception failure) {
        SQLException sql = sqlFailure(failure);
        String message = (sql == null ? failure : sql).getMessage();
        return message == null ? failure.toString() : message.strip();
    }

    private static @Nullable SQLException sqlFailure(@Nullable Throwable failure) {
        SQLException found = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                found = sql;
            }
        }
        return found;
    }
}
