package dev.outbox.schema;

import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether there is a DataSource, be it one that is injected only where it is asked for ({@code defaultCandidate =
 * false}): {@code @ConditionalOnBean} does not see those.
 */
class OnDataSource extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Outbox DataSource");
        if (context.getEnvironment().containsProperty(DataSourceChoice.NAMED.property())) {
            return ConditionOutcome.match(message.found("property").items(DataSourceChoice.NAMED.property()));
        }
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        if (beans == null || DataSourceChoice.NAMED.candidates(beans).isEmpty()) {
            return ConditionOutcome.noMatch(message.didNotFind("bean").items(DataSource.class));
        }
        return ConditionOutcome.match(message.found("bean", "beans").items(DataSourceChoice.NAMED.candidates(beans)));
    }
}
