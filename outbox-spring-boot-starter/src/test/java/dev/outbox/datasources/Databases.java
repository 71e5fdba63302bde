package dev.outbox.datasources;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.OutboxDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The ways in which a service may have its two DataSources. */
final class Databases {

    private Databases() {}

    static HikariDataSource pool(Environment environment, String name) {
        return DataSourceBuilder.create()
                .type(HikariDataSource.class)
                .url(environment.getRequiredProperty("test." + name + ".url"))
                .username(environment.getRequiredProperty("test.user"))
                .password(environment.getRequiredProperty("test.password"))
                .build();
    }

    /** Each has its transaction manager, and none is the primary one. */
    @Configuration(proxyBeanMethods = false)
    static class EqualOnes {

        @Bean
        DataSource ordersDataSource(Environment environment) {
            return pool(environment, "orders");
        }

        @Bean
        DataSource reportsDataSource(Environment environment) {
            return pool(environment, "reports");
        }

        @Bean
        JdbcTransactionManager ordersTransactions(@Qualifier("ordersDataSource") DataSource orders) {
            return new JdbcTransactionManager(orders);
        }

        @Bean
        JdbcTransactionManager reportsTransactions(@Qualifier("reportsDataSource") DataSource reports) {
            return new JdbcTransactionManager(reports);
        }
    }

    /** The orders are marked, the reports are the primary ones. */
    @Configuration(proxyBeanMethods = false)
    static class MarkedBesidePrimary {

        @Bean
        @OutboxDataSource
        DataSource ordersDataSource(Environment environment) {
            return pool(environment, "orders");
        }

        @Bean
        @Primary
        DataSource reportsDataSource(Environment environment) {
            return pool(environment, "reports");
        }

        @Bean
        JdbcTransactionManager ordersTransactions(@OutboxDataSource DataSource orders) {
            return new JdbcTransactionManager(orders);
        }

        @Bean
        @Primary
        JdbcTransactionManager reportsTransactions(DataSource reports) {
            return new JdbcTransactionManager(reports);
        }
    }

    /** The orders are injected only where they are asked for; Boot makes the reports and their transactions. */
    @Configuration(proxyBeanMethods = false)
    static class MarkedBesideBoots {

        @Bean(defaultCandidate = false)
        @OutboxDataSource
        DataSource ordersDataSource(Environment environment) {
            return pool(environment, "orders");
        }

        @Bean(defaultCandidate = false)
        JdbcTransactionManager ordersTransactions(@OutboxDataSource DataSource orders) {
            return new JdbcTransactionManager(orders);
        }
    }

    /** Neither is injected unless asked for, so that Boot knows of none. */
    @Configuration(proxyBeanMethods = false)
    static class OnAskingOnly extends MarkedBesideBoots {

        @Bean(defaultCandidate = false)
        DataSource reportsDataSource(Environment environment) {
            return pool(environment, "reports");
        }

        @Bean(defaultCandidate = false)
        JdbcTransactionManager reportsTransactions(@Qualifier("reportsDataSource") DataSource reports) {
            return new JdbcTransactionManager(reports);
        }
    }

    /** The orders and Boot's reports, without the mark: the property has to name it. */
    @Configuration(proxyBeanMethods = false)
    static class UnmarkedBesideBoots {

        @Bean(defaultCandidate = false)
        DataSource ordersDataSource(Environment environment) {
            return pool(environment, "orders");
        }

        @Bean(defaultCandidate = false)
        JdbcTransactionManager ordersTransactions(@Qualifier("ordersDataSource") DataSource orders) {
            return new JdbcTransactionManager(orders);
        }
    }

    /** The orders are the primary ones, behind proxies of Spring's. */
    @Configuration(proxyBeanMethods = false)
    static class PrimaryBehindProxies {

        @Bean
        DataSource ordersPool(Environment environment) {
            return pool(environment, "orders");
        }

        @Bean
        @Primary
        DataSource orders(@Qualifier("ordersPool") DataSource ordersPool) {
            return new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(ordersPool));
        }

        @Bean
        DataSource reportsDataSource(Environment environment) {
            return pool(environment, "reports");
        }

        @Bean
        JdbcTransactionManager ordersTransactions(DataSource orders) {
            return new JdbcTransactionManager(orders);
        }

        @Bean
        JdbcTransactionManager reportsTransactions(@Qualifier("reportsDataSource") DataSource reports) {
            return new JdbcTransactionManager(reports);
        }
    }
}
