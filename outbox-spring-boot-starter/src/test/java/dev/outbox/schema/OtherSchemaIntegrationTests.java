package dev.outbox.schema;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.consumer.IdempotentConsumer;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** {@code outbox.schema} holds for writer, relay, consumer and metrics alike. */
class OtherSchemaIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Kafka kafka = TestServers.kafka();
    private final Postgres postgres = TestServers.postgres();
    private final String url = postgres.createDatabase();
    private final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));

    @ParameterizedTest
    @CsvSource({"messaging, true", "messaging, false", "Outbox$1, false", "order, true"})
    void everyPartUsesTheSchema(String schema, boolean exists) {
        if (exists) {
            jdbc.execute("CREATE SCHEMA \"" + schema + "\"; CREATE TABLE \"" + schema + "\".other (id int)");
        }
        String topic = Topics.create(kafka, "schema");
        UUID event = UUID.randomUUID();
        try (TestService service =
                service(schema).with("outbox.metrics.sample-interval", "100ms").start()) {
            List<UUID> ids = service.inTransaction(() -> List.of(
                    service.writer().write(to(topic).key("k").json("{}")),
                    service.writer().writeAll(List.of(to(topic).key("k"))).get(0),
                    service.writer()
                            .write(to(topic).key("k").id(UUID.randomUUID()).payload("x"))));
            await().atMost(BOUND)
                    .until(() -> jdbc.queryForObject(
                                    "SELECT count(*) FROM \"" + schema
                                            + "\".outbox_message WHERE published_at IS NOT NULL",
                                    Integer.class)
                            == 3);
            assertThat(Topics.eventIds(kafka, topic)).isEqualTo(ids);

            IdempotentConsumer consumer = service.bean(IdempotentConsumer.class);
            assertThat(consumer.once("c", event, () -> {})).isTrue();
            assertThat(consumer.once("c", event, () -> {})).isFalse();

            jdbc.update("INSERT INTO \"" + schema + "\".outbox_message (topic, created_at, dead_at) VALUES"
                    + " ('t', now() - interval '2 days', now()), ('not-there', now() - interval '1 day', NULL)");
            await().atMost(BOUND)
                    .until(() -> service.bean(MeterRegistry.class)
                                    .get("outbox.oldest.pending.age")
                                    .timeGauge()
                                    .value(TimeUnit.HOURS)
                            >= 24);
        }
        assertThat(jdbc.queryForList("SELECT event_id FROM \"" + schema + "\".processed_event", UUID.class))
                .containsExactly(event);
        assertThat(jdbc.queryForList(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
                                + " AND table_name <> 'flyway_schema_history'",
                        String.class))
                .isEmpty();
    }

    @Test
    void byDefaultTheFirstSchemaOfTheSearchPathIsUsed() {
        jdbc.execute("CREATE SCHEMA first; CREATE SCHEMA second");
        try (TestService service = TestService.on(url + "?currentSchema=first,second", postgres, kafka)
                .withoutRelay()
                .start()) {
            service.write(to("t"));
        }
        assertThat(jdbc.queryForObject("SELECT count(*) FROM first.outbox_message", Integer.class))
                .isEqualTo(1);
    }

    @Test
    void aSearchPathThatLeadsNowhereStopsTheStart() {
        assertThatThrownBy(() -> TestService.on(url + "?currentSchema=not_there", postgres, kafka)
                        .withoutRelay()
                        .with("spring.flyway.enabled", false)
                        .with("outbox.flyway.enabled", true)
                        .start())
                .hasStackTraceContaining("The search path of the outbox's database user names no schema that exists.")
                .hasStackTraceContaining("set outbox.schema");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                "a\"b",
                "a;b",
                "1a",
                "ü",
                "a.b",
                "a-b",
                "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-0123456789"
            })
    void aNameThatIsNoIdentifierStopsTheStart(String schema) {
        assertThatThrownBy(() -> service(schema).start()).hasStackTraceContaining("outbox.schema");
        assertThat(jdbc.queryForList(
                        "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'outbox%'",
                        String.class))
                .isEmpty();
    }

    private TestService.Builder service(String schema) {
        return TestService.on(url, postgres, kafka).with("outbox.schema", schema);
    }
}
