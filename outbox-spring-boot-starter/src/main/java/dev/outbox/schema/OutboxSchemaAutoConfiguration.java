package dev.outbox.schema;

import dev.outbox.OutboxProperties;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sets up where the outbox tables are, and brings them up to date. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "outbox.enabled", matchIfMissing = true)
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(OutboxProperties.class)
public final class OutboxSchemaAutoConfiguration {

    OutboxSchemaAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    OutboxDatabase outboxDatabase(DataSource dataSource, OutboxProperties properties) {
        return new OutboxDatabase(dataSource, properties.schema());
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxSchemaInitializer outboxSchemaInitializer(
            OutboxDatabase database, ObjectProvider<OutboxSchemaInitializer.Migration> migration) {
        return new OutboxSchemaInitializer(
                migration.getIfAvailable(() -> OutboxSchemaInitializer.Migration.NONE), new SchemaCheck(database));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.flywaydb.core.Flyway")
    @ConditionalOnBooleanProperty(name = "outbox.flyway.enabled", matchIfMissing = true)
    static class FlywayConfiguration {

        @Bean
        @ConditionalOnMissingBean
        OutboxSchemaInitializer.Migration outboxMigration(OutboxDatabase database) {
            return new FlywayMigration(database.dataSource(), database.schema());
        }
    }
}
