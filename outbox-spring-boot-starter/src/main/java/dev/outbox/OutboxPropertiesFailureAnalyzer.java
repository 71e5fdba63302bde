package dev.outbox;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Says which property has which wrong value; before Boot's analyzer of the binding around it, which says less. */
@Order(0)
class OutboxPropertiesFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationPropertyValueException> {

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, InvalidConfigurationPropertyValueException cause) {
        if (!cause.getName().startsWith("outbox.")) {
            return null;
        }
        return new FailureAnalysis(
                "The property " + cause.getName() + " has the value '" + cause.getValue() + "', but it "
                        + cause.getReason() + ".",
                "Set " + cause.getName() + " to an allowed value, or leave it out to have its default.",
                cause);
    }
}
