package dev.outbox.schema;

import dev.outbox.OutboxSetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a start-up that fails for the outbox's sake without the stack of beans around it. */
class OutboxSetupFailureAnalyzer extends AbstractFailureAnalyzer<OutboxSetupException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, OutboxSetupException cause) {
        return new FailureAnalysis(cause.getDescription(), cause.getAction(), cause);
    }
}
