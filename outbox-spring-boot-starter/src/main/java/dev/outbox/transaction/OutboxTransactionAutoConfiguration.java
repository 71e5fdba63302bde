package dev.outbox.transaction;

import dev.outbox.schema.OutboxDatabase;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Sets up the watch on the transaction managers, and the check of callers' transactions. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(afterName = "dev.outbox.schema.OutboxSchemaAutoConfiguration")
@ConditionalOnBean(OutboxDatabase.class)
public final class OutboxTransactionAutoConfiguration {

    OutboxTransactionAutoConfiguration() {}

    // Static and without parameters: a post-processor must not bring forward the creation of other beans.
    @Bean
    static WatchPostProcessor outboxTransactionWatch() {
        return new WatchPostProcessor();
    }

    @Bean
    CallerTransaction outboxCallerTransaction(OutboxDatabase database) {
        return new CallerTransaction(database);
    }
}
