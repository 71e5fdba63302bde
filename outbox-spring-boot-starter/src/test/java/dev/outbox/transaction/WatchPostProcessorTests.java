package dev.outbox.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.schema.OutboxDatabase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Every transaction manager is watched, once, however it came to be; and none comes to be because of it. */
@ExtendWith(OutputCaptureExtension.class)
class WatchPostProcessorTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OutboxTransactionAutoConfiguration.class))
            .withBean("dataSource", SimpleDriverDataSource.class)
            .withBean(OutboxDatabase.class, () -> new OutboxDatabase(new SimpleDriverDataSource(), null));

    @Test
    void managersOfTheApplication() {
        application.withUserConfiguration(Managers.class).run(context -> {
            for (String name : List.of("plain", "withItsOwnListeners", "ofAFactory", "scoped", "notYet")) {
                assertWatched(context.getBean(name));
            }
            assertThat(listeners(context.getBean("withItsOwnListeners"))).contains(Managers.OWN);
        });
    }

    @Test
    void theManagerOfSpringBootBesideTheListenersOfTheApplication() {
        TransactionExecutionListener own = new TransactionExecutionListener() {};
        application
                .withConfiguration(AutoConfigurations.of(
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionManagerCustomizationAutoConfiguration.class))
                .withBean(TransactionExecutionListener.class, () -> own)
                .run(context -> {
                    PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
                    assertWatched(manager);
                    assertThat(listeners(manager)).contains(own);
                });
    }

    @Test
    void aManagerBehindAProxy() {
        application.withUserConfiguration(Proxies.class).run(context -> {
            assertWatched(context.getBean("proxied"));
            assertThat(context.getBean("proxied")).isNotInstanceOf(DataSourceTransactionManager.class);
            // The methods in question are final: those of the proxy itself lead nowhere.
            assertWatched(AopProxyUtils.getSingletonTarget(context.getBean("proxiedByItsFactory")));
        });
    }

    @Test
    void aManagerThatWasMadeWithoutItsConstructorDoesNoHarm() {
        application
                .withBean(PlatformTransactionManager.class, () -> new SpringObjenesis().newInstance(Bare.class, false))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aManagerOfAnotherKindIsLeftAlone() {
        application
                .withBean(NotBoundToAThread.class)
                .run(context -> assertThat(context.getBean(NotBoundToAThread.class).listeners)
                        .isEmpty());
    }

    @Test
    void noBeanIsCreatedBeforeItsTime(CapturedOutput output) {
        application.withUserConfiguration(Managers.class).run(context -> {
            assertThat(context.getBeanFactory().containsSingleton("plain")).isTrue();
            assertThat(context.getBeanFactory().containsSingleton("notYet")).isFalse();
            assertThat(output).doesNotContain("not eligible for getting processed");
        });
    }

    private static void assertWatched(Object manager) {
        assertThat(listeners(manager))
                .filteredOn(TransactionWatch.class::isInstance)
                .hasSize(1);
    }

    private static Collection<TransactionExecutionListener> listeners(Object manager) {
        return ((ConfigurableTransactionManager) manager).getTransactionExecutionListeners();
    }

    private static DataSourceTransactionManager manager() {
        return new DataSourceTransactionManager(new SimpleDriverDataSource());
    }

    @Configuration(proxyBeanMethods = false)
    static class Managers {

        static final TransactionExecutionListener OWN = new TransactionExecutionListener() {};

        @Bean
        PlatformTransactionManager plain() {
            return manager();
        }

        @Bean
        PlatformTransactionManager underTwoNames(@Qualifier("plain") PlatformTransactionManager plain) {
            return plain;
        }

        @Bean
        PlatformTransactionManager withItsOwnListeners() {
            DataSourceTransactionManager manager = manager();
            manager.setTransactionExecutionListeners(List.of(OWN));
            return manager;
        }

        @Bean
        FactoryBean<PlatformTransactionManager> ofAFactory() {
            return new Factory(manager());
        }

        @Bean
        @Scope("prototype")
        PlatformTransactionManager scoped() {
            return manager();
        }

        @Bean
        @Lazy
        PlatformTransactionManager notYet() {
            return manager();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Proxies {

        @Bean
        static BeanNameAutoProxyCreator proxyCreator() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("proxied");
            return creator;
        }

        @Bean
        PlatformTransactionManager proxied() {
            return manager();
        }

        @Bean
        FactoryBean<PlatformTransactionManager> proxiedByItsFactory() {
            ProxyFactory proxies = new ProxyFactory(manager());
            proxies.setProxyTargetClass(true);
            return new Factory((PlatformTransactionManager) proxies.getProxy());
        }
    }

    private record Factory(PlatformTransactionManager manager) implements FactoryBean<PlatformTransactionManager> {

        @Override
        public PlatformTransactionManager getObject() {
            return manager;
        }

        @Override
        public Class<?> getObjectType() {
            return PlatformTransactionManager.class;
        }
    }

    static class Bare extends AbstractPlatformTransactionManager {

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    /** As a reactive one: it begins on one thread and goes on in another. */
    static class NotBoundToAThread implements ConfigurableTransactionManager {

        private final List<TransactionExecutionListener> listeners = new ArrayList<>();

        @Override
        public void setTransactionExecutionListeners(Collection<TransactionExecutionListener> listeners) {
            this.listeners.addAll(listeners);
        }

        @Override
        public Collection<TransactionExecutionListener> getTransactionExecutionListeners() {
            return listeners;
        }
    }
}
