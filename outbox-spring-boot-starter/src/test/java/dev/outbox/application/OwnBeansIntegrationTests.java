package dev.outbox.application;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.outbox.InvalidOutboxMessageException;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.serializer.JacksonJsonSerializer;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** An application with beans of its own, of the kinds that the starter could be tempted to touch. */
class OwnBeansIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Kafka kafka = TestServers.kafka();

    @Test
    void beansOfTheApplicationStayTheOnlyOnesOfTheirKindAndWork() {
        String topic = Topics.create(kafka, "own-beans");
        try (TestService service =
                TestService.onSharedServers().with(OwnBeans.class).start()) {
            for (Class<?> type : List.of(
                    TaskScheduler.class,
                    Executor.class,
                    JdbcOperations.class,
                    TransactionTemplate.class,
                    PlatformTransactionManager.class,
                    ObjectMapper.class,
                    KafkaTemplate.class,
                    ProducerFactory.class)) {
                assertThat(service.context().getBeanNamesForType(type))
                        .as(type.getSimpleName())
                        .singleElement()
                        .asString()
                        .startsWith("own");
            }
            assertThat(service.context().getBean("idempotentConsumer")).isInstanceOf(IdempotentConsumer.class);

            service.bean(TransactionTemplate.class)
                    .executeWithoutResult(
                            status -> service.writer().write(to(topic).payload(new OrderPlaced("42"))));
            await().atMost(BOUND).until(() -> service.pending() == 0);
            service.bean(SendsItself.class).send(topic, new OrderPlaced("43"));

            assertThat(Topics.read(kafka, topic))
                    .extracting(Topics::value)
                    .containsExactly("{\"order_id\":\"42\"}", "{\"orderId\":\"43\"}");
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(service.bean(Schedule.class).threads)
                            .isNotEmpty()
                            .allMatch(name -> name.startsWith("own-scheduler-")));
        }
    }

    @Test
    void twoMappersWithoutAPrimaryOneAreNoObstacleToTheStart() {
        try (TestService service = TestService.onSharedServers()
                .withoutRelay()
                .with(TwoMappers.class)
                // Without spring-web, that is: Spring Boot's own support of it insists on one mapper.
                .with(
                        "spring.autoconfigure.exclude",
                        "org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration")
                .start()) {
            service.write(to("t").payload("text"), to("t").json("{}"));
            assertThatExceptionOfType(InvalidOutboxMessageException.class)
                    .isThrownBy(() -> service.write(to("t").payload(new OrderPlaced("42"))))
                    .withMessageContaining("@Primary")
                    .withMessageContaining("PayloadSerializer");
            assertThat(service.pending()).isEqualTo(2);
        }
    }

    record OrderPlaced(String orderId) {}

    /** Named as the starter's own, which is no reason to fail. */
    static final class IdempotentConsumer {}

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class OwnBeans {

        @Bean
        ThreadPoolTaskScheduler ownScheduler() {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setThreadNamePrefix("own-scheduler-");
            return scheduler;
        }

        @Bean
        Schedule schedule() {
            return new Schedule();
        }

        @Bean
        JdbcTemplate ownJdbc(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        DataSourceTransactionManager ownTransactions(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        TransactionTemplate ownTemplate(PlatformTransactionManager transactions) {
            return new TransactionTemplate(transactions);
        }

        @Bean
        JsonMapper ownMapper() {
            return JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build();
        }

        @Bean
        ProducerFactory<String, Object> ownProducers(KafkaConnectionDetails kafka) {
            return new DefaultKafkaProducerFactory<>(
                    Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.getBootstrapServers()),
                    new StringSerializer(),
                    new JacksonJsonSerializer<>());
        }

        @Bean
        KafkaTemplate<String, Object> ownKafka(ProducerFactory<String, Object> producers) {
            return new KafkaTemplate<>(producers);
        }

        @Bean
        SendsItself sendsItself(KafkaTemplate<String, Object> kafka) {
            return new SendsItself(kafka);
        }

        @Bean("idempotentConsumer")
        IdempotentConsumer ownIdempotentConsumer() {
            return new IdempotentConsumer();
        }
    }

    static final class Schedule {

        private final Set<String> threads = ConcurrentHashMap.newKeySet();

        @Scheduled(fixedDelay = 100)
        void run() {
            threads.add(Thread.currentThread().getName());
        }
    }

    record SendsItself(KafkaTemplate<String, Object> kafka) {

        void send(String topic, Object value) {
            kafka.send(topic, value).join();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoMappers {

        @Bean
        JsonMapper oneMapper() {
            return new JsonMapper();
        }

        @Bean
        JsonMapper otherMapper() {
            return new JsonMapper();
        }
    }
}
