package dev.outbox.consumer;

import dev.outbox.schema.OutboxDatabase;
import dev.outbox.transaction.CallerTransaction;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Sets up the idempotent consumer. */
@AutoConfiguration(afterName = "dev.outbox.schema.OutboxSchemaAutoConfiguration")
@ConditionalOnClass(ConsumerRecord.class)
@ConditionalOnBean(OutboxDatabase.class)
public final class OutboxConsumerAutoConfiguration {

    OutboxConsumerAutoConfiguration() {}

    // No condition and no order on transaction managers: it would bring forward what Boot decides last.
    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    IdempotentConsumer idempotentConsumer(
            OutboxDatabase database,
            CallerTransaction caller,
            ObjectProvider<PlatformTransactionManager> transactions) {
        return new JdbcIdempotentConsumer(
                caller, new ProcessedEvents(database), manager(transactions, database.dataSource()));
    }

    /** The manager of the DataSource itself, or else the one there is: that of JPA names its own factory. */
    private static @Nullable PlatformTransactionManager manager(
            ObjectProvider<PlatformTransactionManager> transactions, DataSource dataSource) {
        return transactions.stream()
                .filter(manager -> manager instanceof ResourceTransactionManager resource
                        && resource.getResourceFactory() == dataSource)
                .findFirst()
                .orElseGet(transactions::getIfUnique);
    }
}
