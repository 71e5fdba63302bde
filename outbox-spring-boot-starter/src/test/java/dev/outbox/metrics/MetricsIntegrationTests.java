package dev.outbox.metrics;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxListener;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import dev.outbox.test.StatementCounter;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What Prometheus gets to see, and what that costs the database. */
class MetricsIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int HOUR = 3600;

    @Test
    void publishedMessagesAndBatchesAreCounted() {
        String topic = Topics.create(TestServers.kafka(), "metrics");
        try (TestService service = TestService.onSharedServers().start()) {
            assertThat(sample(service, "outbox_events_published_total")).isZero();
            OutboxMessage[] messages = new OutboxMessage[500];
            Arrays.setAll(messages, i -> to(topic).key(i).json("{}"));
            service.write(messages);

            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(sample(service, "outbox_events_published_total"))
                            .isEqualTo(500));
            String scrape = scrape(service);
            assertThat(scrape)
                    .contains("# TYPE outbox_events_published_total counter")
                    .contains("# TYPE outbox_batch_duration_seconds histogram")
                    .contains("outbox_batch_duration_seconds_bucket{le=\"")
                    .contains("# TYPE outbox_oldest_pending_age_seconds gauge");
            assertThat(sample(service, "outbox_batch_duration_seconds_count")).isPositive();
            assertThat(sample(service, "outbox_batch_duration_seconds_sum")).isPositive();
        }
    }

    @Test
    void theAgeOfTheOldestPendingMessageIsSampled() {
        try (TestService service = TestService.onSharedServers()
                .withoutRelay()
                .with("outbox.metrics.sample-interval", "100ms")
                .start()) {
            assertThat(sample(service, "outbox_oldest_pending_age_seconds")).isZero();
            service.jdbc()
                    .update("INSERT INTO outbox_message (topic, key, created_at, published_at, dead_at) VALUES"
                            + " ('t', 'a', now() - interval '9 hours', now(), NULL),"
                            + " ('t', 'b', now() - interval '8 hours', NULL, now()),"
                            + " ('t', 'c', now() - interval '1 hour', NULL, NULL),"
                            + " ('t', 'd', now() - interval '2 hours', NULL, NULL),"
                            + " ('t', 'd', now() - interval '1 hour', NULL, NULL)");
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(sample(service, "outbox_oldest_pending_age_seconds"))
                            .isBetween(2.0 * HOUR, 3.0 * HOUR));

            service.jdbc().update("UPDATE outbox_message SET published_at = now()");
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(sample(service, "outbox_oldest_pending_age_seconds"))
                            .isZero());
        }
    }

    @Test
    void theAgeIsTheDatabasesWhateverTheTimeZones() {
        try (TestService service = TestService.onSharedServers()
                .withoutRelay()
                .with("outbox.metrics.sample-interval", "100ms")
                .with("spring.datasource.hikari.connection-init-sql", "SET TIME ZONE 'Pacific/Kiritimati'")
                .start()) {
            service.jdbc()
                    .update("INSERT INTO outbox_message (topic, created_at) VALUES ('t', now() - interval '1 hour')");
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(sample(service, "outbox_oldest_pending_age_seconds"))
                            .isBetween(1.0 * HOUR, 2.0 * HOUR));
        }
    }

    @Test
    void aScrapeAsksTheDatabaseNothing() {
        try (TestService service = TestService.onSharedServers()
                .withoutRelay()
                .with("outbox.metrics.sample-interval", "1h")
                .with(StatementCounter.class)
                .start()) {
            StatementCounter statements = service.bean(StatementCounter.class);
            // The first sample of a service is taken at its start.
            service.jdbc().update("INSERT INTO outbox_message (topic) VALUES ('t')");
            statements.reset();
            for (int i = 0; i < 100; i++) {
                assertThat(scrape(service)).contains("outbox_oldest_pending_age_seconds");
            }
            assertThat(statements.ofThisThread()).isZero();
        }
    }

    @Test
    void aDatabaseThatFailsDoesNotEndTheSampling() {
        try (TestService service = TestService.onSharedServers()
                .withoutRelay()
                .with("outbox.metrics.sample-interval", "100ms")
                .start()) {
            service.jdbc()
                    .update("INSERT INTO outbox_message (topic, created_at) VALUES ('t', now() - interval '1 hour')");
            await().atMost(BOUND).until(() -> sample(service, "outbox_oldest_pending_age_seconds") >= HOUR);
            service.jdbc().execute("ALTER TABLE outbox_message RENAME TO elsewhere");
            double before = sample(service, "outbox_oldest_pending_age_seconds");
            await().atMost(BOUND).until(() -> sample(service, "outbox_oldest_pending_age_seconds") > before);
            service.jdbc().execute("ALTER TABLE elsewhere RENAME TO outbox_message");
            service.jdbc().update("UPDATE outbox_message SET published_at = now()");
            await().atMost(BOUND).until(() -> sample(service, "outbox_oldest_pending_age_seconds") == 0);
        }
    }

    @Test
    void withoutMicrometerTheOutboxWorks() {
        String topic = Topics.create(TestServers.kafka(), "no-metrics");
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues(TestService.onSharedServers().properties().entrySet().stream()
                        .map(property -> property.getKey() + "=" + property.getValue())
                        .toArray(String[]::new))
                .withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.micrometer"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).doesNotHaveBean(OutboxListener.class);
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> context.getBean(OutboxWriter.class)
                                    .writeAll(List.of(to(topic).json("{}"))));
                    await().atMost(BOUND)
                            .until(() -> context.getBean(JdbcTemplate.class)
                                    .queryForObject(
                                            "SELECT published_at IS NOT NULL FROM outbox_message", Boolean.class));
                });
    }

    @Test
    void aSimpleRegistryHasTheSameMeters() {
        try (TestService service = TestService.onSharedServers()
                .withoutRelay()
                .with("management.prometheus.metrics.export.enabled", false)
                .start()) {
            MeterRegistry registry = service.bean(MeterRegistry.class);
            assertThat(registry.get("outbox.events.published").counter().count())
                    .isZero();
            assertThat(registry.get("outbox.oldest.pending.age").timeGauge().value(TimeUnit.SECONDS))
                    .isZero();
        }
    }

    private static String scrape(TestService service) {
        return service.bean(PrometheusMeterRegistry.class).scrape();
    }

    /** The value of a sample without labels. */
    private static double sample(TestService service, String name) {
        Matcher line =
                Pattern.compile("^" + name + " (\\S+)$", Pattern.MULTILINE).matcher(scrape(service));
        assertThat(line.find()).as(name).isTrue();
        return Double.parseDouble(line.group(1));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
