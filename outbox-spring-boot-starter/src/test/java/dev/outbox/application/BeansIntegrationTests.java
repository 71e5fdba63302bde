package dev.outbox.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.testservers.TestServers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The starter adds beans of its own. All others are the same, in the same order, as on a class path without it. */
class BeansIntegrationTests {

    private static Map<String, Object> properties;
    private static List<String> withoutStarter;

    @BeforeAll
    static void startWithoutStarter() {
        properties = TestService.on(
                        TestServers.postgres().createDatabase(), TestServers.postgres(), TestServers.kafka())
                .with("server.port", 0)
                .properties();
        try (OwnClassPath classPath = OwnClassPath.without(OutboxWriter.class)) {
            withoutStarter = classPath.run(Beans.class, properties);
        }
        assertThat(withoutStarter)
                .anyMatch(bean -> bean.startsWith("taskScheduler "))
                .anyMatch(bean -> bean.startsWith("applicationTaskExecutor "))
                .anyMatch(bean -> bean.startsWith("transactionManager "))
                .anyMatch(bean -> bean.startsWith("kafkaTemplate "))
                .anyMatch(bean -> bean.startsWith("flyway "))
                .noneMatch(BeansIntegrationTests::isOurs);
    }

    @Test
    void withTheStarterThereAreItsOwnBeansAndAllOthersAsBefore() {
        List<String> beans = new Beans().apply(properties);

        assertThat(beans).anyMatch(BeansIntegrationTests::isOurs);
        beans.removeIf(BeansIntegrationTests::isOurs);
        assertThat(beans).containsExactlyElementsOf(withoutStarter);
    }

    @Test
    void switchedOffItLeavesNothing() {
        String database = TestServers.postgres().createDatabase();
        Map<String, Object> off = new HashMap<>(properties);
        off.put("spring.datasource.url", database);
        off.put("outbox.enabled", false);
        OutboxThreads threads = OutboxThreads.sinceNow();

        assertThat(new Beans().apply(off)).containsExactlyElementsOf(withoutStarter);
        assertThat(threads.names()).isEmpty();
    }

    /** The classes that configure, and the beans with a name that says whose they are. */
    private static boolean isOurs(String bean) {
        return (bean.startsWith("dev.outbox.") && bean.contains("AutoConfiguration")) || bean.startsWith("outbox");
    }

    static final class Beans implements Function<Map<String, Object>, List<String>> {

        @Override
        public List<String> apply(Map<String, Object> properties) {
            // There can be only one for the whole JVM, and here is more than one Tomcat.
            TomcatURLStreamHandlerFactory.disable();
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.SERVLET)
                    .registerShutdownHook(false)
                    .properties(properties)
                    .run()) {
                ConfigurableListableBeanFactory factory = context.getBeanFactory();
                List<String> beans = new ArrayList<>();
                for (String name : factory.getBeanDefinitionNames()) {
                    beans.add(describe(name, factory));
                }
                boolean tables = properties.containsKey("outbox.enabled")
                        && context.getBean(JdbcTemplate.class)
                                        .queryForObject("SELECT to_regclass('outbox_message')", String.class)
                                != null;
                assertThat(tables).isFalse();
                return beans;
            }
        }

        private static String describe(String name, ConfigurableListableBeanFactory factory) {
            BeanDefinition definition = factory.getMergedBeanDefinition(name);
            Class<?> type = factory.getType(name);
            return String.join(
                    " ",
                    name,
                    // Generated classes have numbers.
                    type == null ? "?" : type.getName().replaceFirst("[$][$].*", ""),
                    definition.getScope(),
                    definition.isLazyInit() ? "lazy" : "eager",
                    definition.isPrimary() ? "primary" : "",
                    definition.isFallback() ? "fallback" : "",
                    definition.isAutowireCandidate() ? "" : "no candidate");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    @EnableAsync
    static class Application {}
}
