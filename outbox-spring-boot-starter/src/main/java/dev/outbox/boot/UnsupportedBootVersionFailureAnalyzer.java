package dev.outbox.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about the version, in place of a stack trace. */
class UnsupportedBootVersionFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedBootVersionException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnsupportedBootVersionException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Upgrade the application to Spring Boot 4, or remove its dependency dev.outbox:outbox-spring-boot-starter.",
                cause);
    }
}
