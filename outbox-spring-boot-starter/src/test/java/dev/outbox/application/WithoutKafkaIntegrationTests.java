package dev.outbox.application;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** A service that writes needs no Kafka, not even its jars; one that relays needs nobody who writes. */
class WithoutKafkaIntegrationTests {

    @Test
    void aServiceWithoutTheJarsOfKafkaWritesAndAnotherPublishes() {
        Kafka kafka = TestServers.kafka();
        Postgres postgres = TestServers.postgres();
        String database = postgres.createDatabase();
        String topic = Topics.create(kafka, "without-kafka");
        Map<String, Object> input = new HashMap<>(
                TestService.on(database, postgres, kafka).withoutRelay().properties());
        input.remove("spring.kafka.bootstrap-servers");
        input.put("topic", topic);

        String id;
        OutboxThreads threads = OutboxThreads.sinceNow();
        try (OwnClassPath classPath = OwnClassPath.withoutJars("kafka")) {
            id = classPath.run(Writes.class, input);
        }
        threads.awaitEnd();

        try (TestService relay = TestService.on(database, postgres, kafka).start()) {
            await().atMost(Duration.ofSeconds(60)).until(() -> relay.pending() == 0);
            assertThat(Topics.eventIds(kafka, topic)).containsExactly(UUID.fromString(id));
        }
    }

    static final class Writes implements Function<Map<String, Object>, String> {

        @Override
        public String apply(Map<String, Object> input) {
            try {
                throw new AssertionError(
                        "Kafka is there: " + Class.forName("org.apache.kafka.clients.producer.Producer"));
            } catch (ClassNotFoundException e) {
                // As it should be.
            }
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .registerShutdownHook(false)
                    .properties(input)
                    .run()) {
                List<String> ours = Arrays.stream(context.getBeanDefinitionNames())
                        .filter(name -> name.startsWith("outbox"))
                        .toList();
                assertThat(ours)
                        .contains("outboxWriter", "outboxBacklogSampler")
                        .doesNotContain("outboxRelay", "outboxIdempotentConsumer");
                assertThat(Thread.getAllStackTraces().keySet())
                        .as("threads that would keep a job from its end")
                        .filteredOn(thread ->
                                thread.getContextClassLoader() == getClass().getClassLoader())
                        .filteredOn(thread -> thread.getName().contains("outbox"))
                        .isNotEmpty()
                        .allMatch(Thread::isDaemon);
                return context.getBean(TransactionTemplate.class)
                        .execute(status -> context.getBean(OutboxWriter.class)
                                .write(to((String) input.get("topic")).payload("x")))
                        .toString();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
