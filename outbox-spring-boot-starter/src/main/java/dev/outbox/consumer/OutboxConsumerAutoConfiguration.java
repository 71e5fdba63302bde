package dev.outbox.consumer;

import dev.outbox.schema.OutboxDatabase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/** Sets up the idempotent consumer. */
@AutoConfiguration(
        afterName = {
            "dev.outbox.schema.OutboxSchemaAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
@ConditionalOnClass(ConsumerRecord.class)
@ConditionalOnBean(OutboxDatabase.class)
@ConditionalOnSingleCandidate(PlatformTransactionManager.class)
public final class OutboxConsumerAutoConfiguration {

    OutboxConsumerAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    IdempotentConsumer idempotentConsumer(OutboxDatabase database, PlatformTransactionManager transactions) {
        return new JdbcIdempotentConsumer(new ProcessedEvents(database), transactions);
    }
}
