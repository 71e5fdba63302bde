package dev.outbox.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetterFilter;
import dev.outbox.DeadLetterPage;
import dev.outbox.OutboxOperations;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Dead letters are found and decided about, each once, whoever else does the same. */
class OutboxOperationsIntegrationTests {

    private static final Duration BOUND = Duration.ofMinutes(2);

    /** Dead letters of two topics and two types, which die two by two in the same microsecond. */
    private static final String INSERT_DEAD = """
            INSERT INTO outbox_message (topic, key, aggregate_type, aggregate_id, event_type, payload, attempts, last_error, dead_at)
            SELECT CASE WHEN n %% 2 = 0 THEN '%1$s' ELSE 'odd' END, 'k' || n, 'number', n, 'Type' || n %% 3, n::text::json, 10, \
            'because', timestamptz '2026-01-01 00:00:00Z' + (n / 2) * interval '1 minute'
            FROM generate_series(1, %2$d) n
            """;

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void deadLettersAreFoundPageByPage() {
        try (TestService service = TestService.onSharedServers().withoutRelay().start()) {
            dead(service, "even", 50);
            OutboxOperations operations = service.bean(OutboxOperations.class);

            List<DeadLetter> all = pages(operations, DeadLetterFilter.all(), 7);
            assertThat(all).extracting(letter -> letter.message().sequence()).containsExactlyElementsOf(numbers(1, 50));
            DeadLetter first = all.get(0);
            assertThat(first.message().topic()).isEqualTo("odd");
            assertThat(first.message().key()).isEqualTo("k1");
            assertThat(first.message().aggregateType()).isEqualTo("number");
            assertThat(first.message().aggregateId()).isEqualTo("1");
            assertThat(first.message().eventType()).isEqualTo("Type1");
            assertThat(first.attempts()).isEqualTo(10);
            assertThat(first.lastError()).isEqualTo("because");
            assertThat(first.deadAt()).isEqualTo(START);
            assertThat(first.blocksKey()).isFalse();
            assertThat(operations.findDeadLetter(first.message().id())).contains(first);

            // A page goes on after the one before, whatever became of that.
            DeadLetterPage page = operations.findDeadLetters(DeadLetterFilter.all(), 10, null);
            page.letters().forEach(letter -> operations.retry(letter.message().id()));
            assertThat(operations
                            .findDeadLetters(DeadLetterFilter.all(), 10, page.next())
                            .letters())
                    .extracting(letter -> letter.message().sequence())
                    .containsExactlyElementsOf(numbers(11, 20));
        }
    }

    @Test
    void aFilterChoosesByTopicTypeAndTime() {
        try (TestService service = TestService.onSharedServers().withoutRelay().start()) {
            dead(service, "even", 60);
            OutboxOperations operations = service.bean(OutboxOperations.class);

            assertThat(found(operations, DeadLetterFilter.all().topic("even"))).hasSize(30);
            assertThat(found(operations, DeadLetterFilter.all().eventType("Type0")))
                    .hasSize(20);
            assertThat(found(operations, DeadLetterFilter.all().topic("even").eventType("Type0")))
                    .containsExactly(6L, 12L, 18L, 24L, 30L, 36L, 42L, 48L, 54L, 60L);
            assertThat(found(
                            operations,
                            DeadLetterFilter.all()
                                    .deadFrom(START.plusSeconds(60))
                                    .deadBefore(START.plusSeconds(180))))
                    .containsExactly(2L, 3L, 4L, 5L);
            assertThat(found(operations, DeadLetterFilter.all().topic("none"))).isEmpty();

            assertThat(operations.discard(DeadLetterFilter.all().topic("even").deadBefore(START.plusSeconds(180))))
                    .isEqualTo(2);
            assertThat(operations.retry(DeadLetterFilter.all().eventType("Type0")))
                    .isEqualTo(20);
            assertThat(found(operations, DeadLetterFilter.all())).hasSize(38);
        }
    }

    @Test
    void whatIsNoPageIsRefused() {
        try (TestService service = TestService.onSharedServers().withoutRelay().start()) {
            OutboxOperations operations = service.bean(OutboxOperations.class);
            for (int limit : new int[] {0, 1_001}) {
                assertThatThrownBy(() -> operations.findDeadLetters(DeadLetterFilter.all(), limit, null))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("1 to 1000");
            }
            for (String after : List.of("", "_", "17", "2026_1", "2026-01-01T00:00:00Z_x")) {
                assertThatThrownBy(() -> operations.findDeadLetters(DeadLetterFilter.all(), 10, after))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("after");
            }
        }
    }

    @Test
    void onlyADeadLetterIsDecidedAboutAndOnlyOnce() {
        try (TestService service = TestService.onSharedServers().withoutRelay().start()) {
            dead(service, "even", 4);
            service.jdbc().update("INSERT INTO outbox_message (topic) VALUES ('pending')");
            service.jdbc()
                    .update(
                            "INSERT INTO outbox_message (topic, published_at, dead_at) VALUES ('published', now(), now())");
            OutboxOperations operations = service.bean(OutboxOperations.class);

            assertThat(operations.retry(id(service, 1))).isTrue();
            assertThat(operations.retry(id(service, 1))).isFalse();
            assertThat(operations.discard(id(service, 1))).isFalse();
            assertThat(operations.discard(id(service, 2))).isTrue();
            assertThat(operations.discard(id(service, 2))).isFalse();
            assertThat(operations.retry(id(service, 2))).isFalse();
            for (int other : new int[] {5, 6}) {
                assertThat(operations.retry(id(service, other))).isFalse();
                assertThat(operations.discard(id(service, other))).isFalse();
            }
            assertThat(operations.retry(UUID.randomUUID())).isFalse();
            assertThat(operations.findDeadLetter(id(service, 2))).isEmpty();
            assertThat(service.jdbc()
                            .queryForMap("SELECT dead_at, attempts, next_attempt_at FROM outbox_message WHERE id = 1"))
                    .containsEntry("dead_at", null)
                    .containsEntry("attempts", 0)
                    .containsEntry("next_attempt_at", null);
            assertThat(service.jdbc().queryForObject("SELECT dead_at FROM outbox_message WHERE id = 2", Instant.class))
                    .isNotNull();
        }
    }

    @Test
    void tenThousandAreDecidedAboutByThreeOperatorsAtOnceEachOnce() {
        try (TestService service = TestService.onSharedServers().withoutRelay().start()) {
            dead(service, "even", 10_000);
            OutboxOperations operations = service.bean(OutboxOperations.class);

            CompletableFuture<Long> one = CompletableFuture.supplyAsync(() -> operations.retry(DeadLetterFilter.all()));
            CompletableFuture<Long> two = CompletableFuture.supplyAsync(() -> operations.retry(DeadLetterFilter.all()));
            CompletableFuture<Long> three =
                    CompletableFuture.supplyAsync(() -> operations.discard(DeadLetterFilter.all()));
            long retried = one.join() + two.join();
            long discarded = three.join();

            assertThat(retried + discarded).isEqualTo(10_000);
            assertThat(count(service, "dead_at IS NULL")).isEqualTo(retried);
            assertThat(count(service, "discarded_at IS NOT NULL")).isEqualTo(discarded);
            assertThat(found(operations, DeadLetterFilter.all())).isEmpty();
        }
    }

    @Test
    void retriedMessagesAreAllPublishedWhileTheRelayRuns() {
        String topic = Topics.create(TestServers.kafka(), "retried", 2, java.util.Map.of());
        try (TestService service = TestService.onSharedServers()
                .with("outbox.relay.poll-interval", "1h")
                .start()) {
            dead(service, topic, 4_000);
            OutboxOperations operations = service.bean(OutboxOperations.class);

            // The relay would not look by itself.
            assertThat(operations.retry(DeadLetterFilter.all().topic(topic))).isEqualTo(2_000);

            await().atMost(BOUND).until(() -> count(service, "published_at IS NOT NULL") == 2_000);
            assertThat(Topics.read(TestServers.kafka(), topic))
                    .hasSize(2_000)
                    .allSatisfy(record -> assertThat(record.headers().lastHeader("outbox_retried"))
                            .isNotNull());
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Object.class, TransactionAware.class})
    void aDecisionIsCommittedWhateverBecomesOfTheCallersTransaction(Class<?> configuration) {
        try (TestService service =
                TestService.onSharedServers().withoutRelay().with(configuration).start()) {
            dead(service, "even", 2);
            OutboxOperations operations = service.bean(OutboxOperations.class);
            TransactionTemplate caller = new TransactionTemplate(service.bean(PlatformTransactionManager.class));

            caller.executeWithoutResult(status -> {
                service.jdbc().update("INSERT INTO outbox_message (topic) VALUES ('of the caller')");
                assertThat(operations.retry(id(service, 1))).isTrue();
                status.setRollbackOnly();
            });

            assertThat(count(service, "dead_at IS NULL")).isEqualTo(1);
            assertThat(count(service, "topic = 'of the caller'")).isZero();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TransactionAware {

        @Bean
        static BeanPostProcessor proxies() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof DataSource dataSource
                            ? new TransactionAwareDataSourceProxy(dataSource)
                            : bean;
                }
            };
        }
    }

    private static void dead(TestService service, String topic, int messages) {
        service.jdbc().update(INSERT_DEAD.formatted(topic, messages));
    }

    private static UUID id(TestService service, long sequence) {
        return service.jdbc()
                .queryForObject("SELECT message_id FROM outbox_message WHERE id = ?", UUID.class, sequence);
    }

    private static int count(TestService service, String condition) {
        return service.jdbc().queryForObject("SELECT count(*) FROM outbox_message WHERE " + condition, Integer.class);
    }

    private static List<DeadLetter> pages(OutboxOperations operations, DeadLetterFilter filter, int limit) {
        List<DeadLetter> all = new ArrayList<>();
        String after = null;
        do {
            DeadLetterPage page = operations.findDeadLetters(filter, limit, after);
            assertThat(page.letters()).hasSizeBetween(1, limit);
            all.addAll(page.letters());
            after = page.next();
        } while (after != null);
        return all;
    }

    private static List<Long> found(OutboxOperations operations, DeadLetterFilter filter) {
        return operations.findDeadLetters(filter, 1_000, null).letters().stream()
                .map(letter -> letter.message().sequence())
                .toList();
    }

    private static List<Long> numbers(long first, long last) {
        return Stream.iterate(first, number -> number <= last, number -> number + 1)
                .toList();
    }
}
