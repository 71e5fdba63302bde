package dev.outbox.datasources;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxTransactionException;
import dev.outbox.consumer.IdempotentConsumer;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** However one of two DataSources is chosen: all parts of the outbox are in its database, none in the other. */
class SeveralDataSourcesIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private static final String TABLES =
            "SELECT tablename FROM pg_tables WHERE tablename ~ 'outbox|processed_event|inbox'";

    static final List<Arguments> CHOICES = List.of(
            Arguments.of(Databases.EqualOnes.class, "ordersDataSource", "reportsTransactions"),
            Arguments.of(Databases.MarkedBesidePrimary.class, "", "reportsTransactions"),
            Arguments.of(Databases.MarkedBesideBoots.class, "", "transactionManager"),
            Arguments.of(Databases.OnAskingOnly.class, "", "reportsTransactions"),
            Arguments.of(Databases.UnmarkedBesideBoots.class, "ordersDataSource", "transactionManager"),
            Arguments.of(Databases.PrimaryBehindProxies.class, "", "reportsTransactions"));

    private final TwoDatabases databases = new TwoDatabases();

    @ParameterizedTest
    @FieldSource("CHOICES")
    void allPartsFollowTheChoice(Class<?> configuration, String property, String otherTransactions) {
        TestService.Builder builder = databases
                .service()
                .with(configuration)
                // Of the application's own migrations Boot must know where they go; that is not the point here.
                .with("spring.flyway.enabled", false)
                .with("outbox.flyway.enabled", true)
                .with("outbox.relay.poll-interval", "1h")
                .with("outbox.metrics.sample-interval", "100ms");
        if (configuration == Databases.OnAskingOnly.class) {
            builder.with(
                    "spring.autoconfigure.exclude",
                    "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
        }
        if (!property.isEmpty()) {
            builder.with("outbox.data-source", property);
        }
        String topic = Topics.create(databases.kafka(), "several");
        JdbcTemplate orders = databases.orders();
        try (TestService service = builder.start()) {
            UUID id = in(service, "ordersTransactions")
                    .execute(status -> service.writer().write(to(topic).json("{}")));
            await().atMost(BOUND)
                    .until(() -> orders.queryForObject(
                            "SELECT count(*) = 1 FROM outbox_message WHERE published_at IS NOT NULL", Boolean.class));
            assertThat(Topics.eventIds(databases.kafka(), topic)).containsExactly(id);

            assertThatExceptionOfType(OutboxTransactionException.class)
                    .isThrownBy(() -> in(service, otherTransactions)
                            .execute(status -> service.writer().write(to(topic))));
            assertThat(orders.queryForObject("SELECT count(*) FROM outbox_message", Integer.class))
                    .isOne();

            UUID event = UUID.randomUUID();
            IdempotentConsumer consumer = service.bean(IdempotentConsumer.class);
            assertThat(consumer.once("c", event, () -> {})).isTrue();
            assertThat(consumer.once("c", event, () -> {})).isFalse();
            assertThat(orders.queryForList("SELECT event_id FROM processed_event", UUID.class))
                    .containsExactly(event);

            orders.update("INSERT INTO outbox_message (topic, created_at) VALUES ('t', now() - interval '2 days')");
            await().atMost(BOUND)
                    .until(() -> service.bean(MeterRegistry.class)
                                    .get("outbox.oldest.pending.age")
                                    .timeGauge()
                                    .value(TimeUnit.HOURS)
                            >= 47);
        }
        assertThat(databases.reports().queryForList(TABLES, String.class)).isEmpty();
    }

    @Test
    void theTablesAreThereBeforeTheirUsersAlsoWhereBootDoesNotKnowWhichDataSourceIsTheOne() {
        try (TestService service = databases
                .service()
                .with(Databases.EqualOnes.class)
                .with("outbox.data-source", "ordersDataSource")
                .with("spring.flyway.enabled", false)
                .with("outbox.flyway.enabled", true)
                .with("spring.main.lazy-initialization", true)
                .withoutRelay()
                .start()) {
            in(service, "ordersTransactions")
                    .executeWithoutResult(status -> service.writer().write(to("t")));
        }
        assertThat(databases.orders().queryForObject("SELECT count(*) FROM outbox_message", Integer.class))
                .isOne();
    }

    private static TransactionTemplate in(TestService service, String manager) {
        return new TransactionTemplate(service.context().getBean(manager, PlatformTransactionManager.class));
    }
}
