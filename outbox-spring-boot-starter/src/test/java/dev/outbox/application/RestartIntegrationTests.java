package dev.outbox.application;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.AbstractRefreshableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Contexts that stop, pause, refresh, close and come again: the relay goes with them, and comes again with them. */
class RestartIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Kafka kafka = TestServers.kafka();
    private final String topic = Topics.create(kafka, "restart");
    private final TestService.Builder builder = TestService.onSharedServers();
    private final OutboxThreads threads = OutboxThreads.sinceNow();

    @Test
    void aContextThatIsStoppedOrPausedHasNoThreadOfTheOutboxAndGoesOnAfterwards() {
        try (TestService service = builder.start()) {
            ConfigurableApplicationContext context = service.context();
            UUID one = write(context);
            awaitPublished(context);

            context.stop();
            threads.awaitEnd();
            UUID two = write(context);
            context.start();
            awaitPublished(context);
            assertThat(threads.relays()).isEqualTo(1);

            context.pause();
            threads.awaitEnd();
            UUID three = write(context);
            context.restart();
            awaitPublished(context);
            assertThat(threads.relays()).isEqualTo(1);

            assertThat(Topics.eventIds(kafka, topic)).containsExactly(one, two, three);
        }
        threads.awaitEnd();
    }

    @Test
    void aContextThatIsRefreshedHasOneRelayAndNoneWhenItIsClosed() {
        try (ConfigurableApplicationContext context = new RefreshableContext(builder.properties())) {
            context.refresh();
            UUID one = write(context);
            awaitPublished(context);

            context.refresh();
            await().atMost(BOUND).until(() -> threads.relays() == 1);
            assertThat(threads.names()).filteredOn("outbox-metrics"::equals).hasSize(1);
            UUID two = write(context);
            awaitPublished(context);

            assertThat(Topics.eventIds(kafka, topic)).containsExactly(one, two);
        }
        threads.awaitEnd();
    }

    /** As the developer tools restart an application: a new context, of new classes. */
    @Test
    void anApplicationThatIsRestartedInAnotherClassLoaderLeavesNothingOfTheFormerOne() {
        Map<String, Object> input = new HashMap<>(builder.properties());
        input.put("topic", topic);
        List<String> ids = new Restarted().apply(input);
        threads.awaitEnd();
        List<String> others;
        try (OwnClassPath classPath = OwnClassPath.complete()) {
            others = classPath.run(Restarted.class, input);
        }
        threads.awaitEnd();

        assertThat(Topics.eventIds(kafka, topic)).extracting(UUID::toString).containsExactly(ids.get(0), others.get(0));
    }

    private UUID write(ApplicationContext context) {
        return RestartIntegrationTests.write(context, topic);
    }

    private static UUID write(ApplicationContext context, String topic) {
        return context.getBean(TransactionTemplate.class)
                .execute(status ->
                        context.getBean(OutboxWriter.class).write(to(topic).payload("x")));
    }

    private static void awaitPublished(ApplicationContext context) {
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        await().atMost(BOUND)
                .until(() -> jdbc.queryForObject(
                                "SELECT count(*) FROM outbox_message WHERE published_at IS NULL", Integer.class)
                        == 0);
    }

    static final class Restarted implements Function<Map<String, Object>, List<String>> {

        @Override
        public List<String> apply(Map<String, Object> input) {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .registerShutdownHook(false)
                    .properties(input)
                    .run()) {
                UUID id = write(context, (String) input.get("topic"));
                awaitPublished(context);
                return List.of(id.toString());
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** A context of the kind that may be refreshed as often as one likes. */
    static final class RefreshableContext extends AbstractRefreshableApplicationContext {

        private RefreshableContext(Map<String, Object> properties) {
            getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        }

        @Override
        protected void loadBeanDefinitions(DefaultListableBeanFactory beanFactory) {
            new AnnotatedBeanDefinitionReader(beanFactory, getEnvironment()).register(Application.class);
        }
    }
}
