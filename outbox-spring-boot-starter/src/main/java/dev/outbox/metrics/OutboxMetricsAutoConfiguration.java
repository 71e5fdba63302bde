package dev.outbox.metrics;

import dev.outbox.OutboxProperties;
import dev.outbox.schema.OutboxDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Sets up the metrics, where the application has a meter registry. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
        beforeName = "dev.outbox.relay.OutboxRelayAutoConfiguration",
        afterName = {
            "dev.outbox.schema.OutboxSchemaAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({OutboxDatabase.class, MeterRegistry.class})
public final class OutboxMetricsAutoConfiguration {

    OutboxMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    RelayMetrics outboxRelayMetrics(MeterRegistry registry) {
        return new RelayMetrics(registry);
    }

    @Bean(destroyMethod = "stop")
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    BacklogSampler outboxBacklogSampler(OutboxDatabase database, OutboxProperties properties, MeterRegistry registry) {
        return new BacklogSampler(new Backlog(database), properties.metrics().sampleInterval(), registry);
    }
}
