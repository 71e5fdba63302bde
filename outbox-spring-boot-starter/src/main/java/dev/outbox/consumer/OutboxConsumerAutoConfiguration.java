package dev.outbox.consumer;

import dev.outbox.schema.OutboxDatabase;
import dev.outbox.schema.OutboxTransactions;
import dev.outbox.transaction.CallerTransaction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Sets up the idempotent consumer. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(afterName = "dev.outbox.schema.OutboxSchemaAutoConfiguration")
@ConditionalOnClass(ConsumerRecord.class)
@ConditionalOnBean(OutboxDatabase.class)
public final class OutboxConsumerAutoConfiguration {

    OutboxConsumerAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    IdempotentConsumer outboxIdempotentConsumer(
            OutboxDatabase database, CallerTransaction caller, OutboxTransactions transactions) {
        return new JdbcIdempotentConsumer(caller, new ProcessedEvents(database), transactions.manager());
    }
}
