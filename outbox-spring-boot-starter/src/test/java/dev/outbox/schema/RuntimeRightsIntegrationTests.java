package dev.outbox.schema;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.consumer.IdempotentConsumer;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A service whose user has the rights that the documentation names, and no other. */
class RuntimeRightsIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Kafka kafka = TestServers.kafka();
    private final Postgres postgres = TestServers.postgres();
    private final String url = postgres.createDatabase();
    private final JdbcTemplate superuser =
            new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));
    private final DatabaseUser user = DatabaseUser.create(url, "order_service");

    @AfterEach
    void dropUser() {
        user.close();
    }

    @Test
    void theDocumentedGrantsAreEnoughForEverything() throws IOException {
        TestService.on(url, postgres, kafka)
                .withoutRelay()
                .with("outbox.schema", "messaging")
                .start()
                .close();
        superuser.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC");
        documentedGrants().forEach(superuser::execute);

        String topic = Topics.create(kafka, "rights");
        UUID event = UUID.randomUUID();
        try (TestService service = user.service()
                .with("outbox.schema", "messaging")
                .with("spring.flyway.enabled", false)
                .with("outbox.metrics.sample-interval", "100ms")
                .start()) {
            List<UUID> ids = service.inTransaction(() -> List.of(
                    service.writer().write(to(topic).key("k").json("{}")),
                    service.writer().writeAll(List.of(to(topic).key("k"))).get(0),
                    service.writer().write(to(topic).key("k").id(UUID.randomUUID()))));
            await().atMost(BOUND)
                    .until(() -> superuser.queryForObject(
                            "SELECT count(*) = 3 FROM messaging.outbox_message WHERE published_at IS NOT NULL",
                            Boolean.class));
            assertThat(Topics.eventIds(kafka, topic)).isEqualTo(ids);

            IdempotentConsumer consumer = service.bean(IdempotentConsumer.class);
            assertThat(consumer.once("c", event, () -> {})).isTrue();
            assertThat(consumer.once("c", event, () -> {})).isFalse();

            superuser.update("INSERT INTO messaging.outbox_message (topic, created_at)"
                    + " VALUES ('not-there', now() - interval '2 days')");
            await().atMost(BOUND)
                    .until(() -> service.bean(MeterRegistry.class)
                                    .get("outbox.oldest.pending.age")
                                    .timeGauge()
                                    .value(TimeUnit.HOURS)
                            >= 47);
        }
    }

    private List<String> documentedGrants() throws IOException {
        List<String> grants = Files.readString(Path.of("..", "docs", "migrations.md"))
                .lines()
                .filter(line -> line.matches("GRANT .* TO order_service;"))
                .map(line -> line.replace("order_service", user.name()))
                .distinct()
                .toList();
        assertThat(grants).hasSize(4);
        return grants;
    }
}
