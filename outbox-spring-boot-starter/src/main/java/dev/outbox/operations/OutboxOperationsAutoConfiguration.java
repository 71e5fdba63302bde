package dev.outbox.operations;

import dev.outbox.OutboxOperations;
import dev.outbox.OutboxWakeUp;
import dev.outbox.schema.OutboxDatabase;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Sets up what operators need, with a relay in this process or without. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(afterName = "dev.outbox.relay.OutboxRelayAutoConfiguration")
@ConditionalOnBean(OutboxDatabase.class)
public final class OutboxOperationsAutoConfiguration {

    OutboxOperationsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    OutboxOperations outboxOperations(OutboxDatabase database, ObjectProvider<OutboxWakeUp> wakeUps) {
        return new JdbcOutboxOperations(database, () -> wakeUps.ifAvailable(OutboxWakeUp::wakeUp));
    }
}
