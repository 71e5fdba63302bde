package dev.outbox.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.ClassUtils;

/** Contexts that lack what the outbox needs start without it; what it needs may come from anywhere. */
class PartialContextIntegrationTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withPropertyValues(TestService.onSharedServers().withoutRelay().properties().entrySet().stream()
                    .map(property -> property.getKey() + "=" + property.getValue())
                    .toArray(String[]::new));

    @Test
    void withoutADataSourceThereIsNoOutbox() {
        application
                .withUserConfiguration(Application.class)
                .withPropertyValues("spring.autoconfigure.exclude="
                        + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(Stream.of(context.getBeanDefinitionNames()))
                            .noneMatch(name -> name.startsWith("outbox"));
                });
    }

    /** Such as that of a company's own starter, which knows nothing of this one. */
    @Test
    void aDataSourceOfAnotherAutoConfigurationIsFoundHoweverLateItComes() {
        List<Class<?>> configurations = new ArrayList<>(List.of(LateAutoConfiguration.class));
        for (String candidate : ImportCandidates.load(AutoConfiguration.class, null)) {
            if (candidate.startsWith("dev.outbox.")) {
                configurations.add(ClassUtils.resolveClassName(candidate, null));
            }
        }
        application
                .withConfiguration(AutoConfigurations.of(configurations.toArray(Class[]::new)))
                .run(context -> assertThat(context).hasSingleBean(OutboxWriter.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @AutoConfiguration
    @AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE - 1)
    static class LateAutoConfiguration {

        @Bean
        DataSource lateDataSource(Environment environment) {
            return new DriverManagerDataSource(
                    environment.getRequiredProperty("spring.datasource.url"),
                    environment.getRequiredProperty("spring.datasource.username"),
                    environment.getRequiredProperty("spring.datasource.password"));
        }
    }
}
