package dev.outbox.schema;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.util.ClassUtils;

/**
 * Flyway's own module for PostgreSQL, which its core does without. The application's Flyway meets its absence before
 * that of the outbox does, so it is explained for both. Free of Flyway types: Boot asks about every failure.
 */
class FlywayModuleFailureAnalyzer implements FailureAnalyzer {

    private static final String DATABASE_TYPE = "org.flywaydb.database.postgresql.PostgreSQLDatabaseType";
    private static final String FLYWAY_EXCEPTION = "org.flywaydb.core.api.FlywayException";

    private static final String DESCRIPTION =
            "Flyway is on the class path without its module for PostgreSQL, so it cannot create any tables.";
    private static final String ACTION =
            "Add the dependency org.flywaydb:flyway-database-postgresql. Spring Boot" + " manages its version.";

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        return isMissing(failure) ? new FailureAnalysis(DESCRIPTION, ACTION, failure) : null;
    }

    /** Whether that is why Flyway failed. */
    static boolean isMissing(Throwable failure) {
        return fails(failure)
                && !ClassUtils.isPresent(DATABASE_TYPE, FlywayModuleFailureAnalyzer.class.getClassLoader());
    }

    static OutboxSchemaException missing(Throwable failure) {
        return new OutboxSchemaException(DESCRIPTION, ACTION, failure);
    }

    /** Flyway says which database it does not know, by its product's name or by its URL. */
    private static boolean fails(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (cause.getClass().getName().equals(FLYWAY_EXCEPTION)
                    && message != null
                    && (message.contains("Unsupported Database: PostgreSQL")
                            || message.contains("No database found to handle jdbc:postgresql"))) {
                return true;
            }
        }
        return false;
    }
}
