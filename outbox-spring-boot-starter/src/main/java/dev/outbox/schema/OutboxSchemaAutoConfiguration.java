package dev.outbox.schema;

import dev.outbox.OutboxDataSource;
import dev.outbox.OutboxProperties;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.transaction.PlatformTransactionManager;

/** Sets up where the outbox tables are, and brings them up to date. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "outbox.enabled", matchIfMissing = true)
@Conditional(OnDataSource.class)
@EnableConfigurationProperties(OutboxProperties.class)
// Boot's own auto-configurations bring it only where they know which DataSource is the one.
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class OutboxSchemaAutoConfiguration {

    OutboxSchemaAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    OutboxDatabase outboxDatabase(
            ListableBeanFactory beans,
            @OutboxDataSource ObjectProvider<DataSource> marked,
            ObjectProvider<DataSource> unmarked,
            OutboxProperties properties) {
        DataSource dataSource = new DataSourceChoice(beans, marked, unmarked).choose(properties.dataSource());
        return new OutboxDatabase(dataSource, properties.schema());
    }

    // No condition and no order on transaction managers: it would bring forward what Boot decides last.
    @Bean
    @ConditionalOnMissingBean
    OutboxTransactions outboxTransactions(
            ListableBeanFactory beans,
            ObjectProvider<PlatformTransactionManager> managers,
            OutboxDatabase database,
            OutboxProperties properties) {
        return new OutboxTransactions(new TransactionManagerChoice(beans, managers, database.dataSource())
                .choose(properties.transactionManager()));
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxSchemaInitializer outboxSchemaInitializer(
            OutboxDatabase database,
            OutboxProperties properties,
            ObjectProvider<OutboxSchemaInitializer.Migration> migration) {
        return new OutboxSchemaInitializer(
                new PostgresRequirement(database.dataSource()),
                migration.getIfAvailable(() -> OutboxSchemaInitializer.Migration.NONE),
                new SchemaCheck(database, properties.relay().enabled()));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Flyway.class)
    @Conditional(OnFlywayEnabled.class)
    static class FlywayConfiguration {

        @Bean
        @ConditionalOnMissingBean
        OutboxSchemaInitializer.Migration outboxMigration(OutboxDatabase database, ObjectProvider<Flyway> flyways) {
            return new FlywayMigration(database, flyways);
        }
    }

    /** Who has switched off Flyway has switched off this one too, unless it says otherwise for itself. */
    static class OnFlywayEnabled extends AnyNestedCondition {

        OnFlywayEnabled() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBooleanProperty("outbox.flyway.enabled")
        static class Explicitly {}

        @ConditionalOnBooleanProperty(
                name = {"outbox.flyway.enabled", "spring.flyway.enabled"},
                matchIfMissing = true)
        static class ByDefault {}
    }
}
