package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.OutboxTransactionException;
import dev.outbox.test.TestService;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Whatever stands before the pool, for metrics or else: a message is in the transaction of the data, or refused. */
class DataSourceProxiesIntegrationTests {

    @ParameterizedTest
    @EnumSource
    void withTheJdbcTransactionManager(Proxied proxied) {
        try (TestService service = service(proxied).start()) {
            check(service);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withTheJpaTransactionManager(Proxied proxied) {
        try (TestService service = service(proxied).with(JpaConfiguration.class).start()) {
            check(service);
        }
    }

    @Test
    void aTransactionManagerOfWhatIsBehindTheProxy() {
        try (TestService service = service(Proxied.DELEGATING_AROUND_DELEGATING)
                .with(ManagerOfThePool.class)
                .start()) {
            String business = service.inTransaction(() -> {
                // The DataSource of the application itself knows of no transaction here.
                service.jdbc().queryForObject("SELECT 1", Integer.class);
                service.writer().write(to("t").type("done"));
                DataSource pool = unwrap(service.bean(DataSource.class));
                return new JdbcTemplate(pool).queryForObject("SELECT pg_current_xact_id()::xid::text", String.class);
            });
            assertThat(transactionOf(service, "outbox_message")).isEqualTo(business);
        }
    }

    @Test
    void aTransactionManagerOfWhatIsBehindALazyProxy() {
        try (TestService service =
                service(Proxied.LAZY).with(ManagerOfThePool.class).start()) {
            service.inTransaction(() -> {
                // The data itself would not be in this transaction.
                assertRefused(service, "not one of the outbox's DataSource");
                return null;
            });
            assertThat(service.jdbc().queryForList("SELECT id FROM outbox_message"))
                    .isEmpty();
        }
    }

    private static void check(TestService service) {
        service.inTransaction(() -> {
            service.jdbc().execute("CREATE TABLE business (done text)");
            return null;
        });
        assertRefused(service, "No transaction");

        service.inTransaction(() -> {
            service.writer().write(to("t").type("first"));
            return service.jdbc().update("INSERT INTO business VALUES ('done')");
        });
        assertThat(transactionOf(service, "outbox_message")).isEqualTo(transactionOf(service, "business"));

        new TransactionTemplate(service.bean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            service.jdbc().update("INSERT INTO business VALUES ('lost')");
            service.writer().write(to("t").type("lost"));
            status.setRollbackOnly();
        });

        List<Boolean> refused = new ArrayList<>();
        service.inTransaction(() -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    assertRefused(service, "completed already");
                    refused.add(true);
                }
            });
            return null;
        });

        assertThat(refused).containsExactly(true);
        assertThat(service.jdbc().queryForList("SELECT event_type FROM outbox_message", String.class))
                .containsExactly("first");
        assertThat(service.jdbc().queryForList("SELECT done FROM business", String.class))
                .containsExactly("done");
    }

    private static void assertRefused(TestService service, String advice) {
        assertThatExceptionOfType(OutboxTransactionException.class)
                .isThrownBy(() -> service.writer().write(to("t").type("refused")))
                .withMessageContaining(advice);
    }

    /** The transaction that wrote the one row of the table. */
    private static String transactionOf(TestService service, String table) {
        return service.jdbc().queryForObject("SELECT xmin::text FROM " + table, String.class);
    }

    private static DataSource unwrap(DataSource dataSource) {
        DataSource target = dataSource;
        while (target instanceof DelegatingDataSource proxy) {
            target = proxy.getTargetDataSource();
        }
        return target;
    }

    private static TestService.Builder service(Proxied proxied) {
        // Without auto-commit what is written outside of the transaction is lost, and so seen to be.
        return TestService.onSharedServers()
                .withoutRelay()
                .with("spring.datasource.hikari.auto-commit", false)
                .with("test.proxied", proxied.name())
                .with(Proxies.class);
    }

    enum Proxied {
        OF_NO_KNOWN_KIND,
        DELEGATING,
        LAZY,
        TRANSACTION_AWARE,
        TRANSACTION_AWARE_AROUND_LAZY,
        TRANSACTION_AWARE_AROUND_DELEGATING,
        DELEGATING_AROUND_TRANSACTION_AWARE,
        DELEGATING_AROUND_DELEGATING,
        LAZY_AROUND_DELEGATING;

        DataSource proxy(DataSource pool) {
            return switch (this) {
                case OF_NO_KNOWN_KIND -> plainProxy(pool);
                case DELEGATING -> new DelegatingDataSource(pool);
                case LAZY -> new LazyConnectionDataSourceProxy(pool);
                case TRANSACTION_AWARE -> new TransactionAwareDataSourceProxy(pool);
                case TRANSACTION_AWARE_AROUND_LAZY -> TRANSACTION_AWARE.proxy(LAZY.proxy(pool));
                case TRANSACTION_AWARE_AROUND_DELEGATING -> TRANSACTION_AWARE.proxy(DELEGATING.proxy(pool));
                case DELEGATING_AROUND_TRANSACTION_AWARE -> DELEGATING.proxy(TRANSACTION_AWARE.proxy(pool));
                case DELEGATING_AROUND_DELEGATING -> DELEGATING.proxy(DELEGATING.proxy(pool));
                case LAZY_AROUND_DELEGATING -> LAZY.proxy(DELEGATING.proxy(pool));
            };
        }

        private static DataSource plainProxy(DataSource pool) {
            return (DataSource) Proxy.newProxyInstance(
                    DataSource.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> {
                        try {
                            return method.invoke(pool, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getTargetException();
                        }
                    });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Proxies {

        @Bean
        static BeanPostProcessor proxies(Environment environment) {
            Proxied proxied = environment.getRequiredProperty("test.proxied", Proxied.class);
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    return bean instanceof HikariDataSource pool ? proxied.proxy(pool) : bean;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ManagerOfThePool {

        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(unwrap(dataSource));
        }
    }
}
