package dev.outbox.schema;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a start-up that fails for the tables' sake without the stack of beans around it. */
class OutboxSchemaFailureAnalyzer extends AbstractFailureAnalyzer<OutboxSchemaException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, OutboxSchemaException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Let the starter create its tables (Flyway on the class path, outbox.flyway.enabled=true, a user who may),"
                        + " or apply the SQL in dev/outbox/schema/migrations of its jar. Without an outbox:"
                        + " outbox.enabled=false.",
                cause);
    }
}
