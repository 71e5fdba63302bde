package dev.outbox.consumer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The effects of a handler and the memory of the event commit together, once per consumer. */
class IdempotentConsumerIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int THREADS = 20;

    private static TestService service;
    private static IdempotentConsumer consumer;

    private final UUID event = UUID.randomUUID();

    @BeforeAll
    static void start() {
        service = TestService.onSharedServers()
                .with("spring.datasource.hikari.maximum-pool-size", THREADS + 5)
                .start();
        consumer = service.bean(IdempotentConsumer.class);
        service.jdbc().execute("CREATE TABLE effect (number int UNIQUE)");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        service.jdbc().execute("TRUNCATE processed_event, effect");
    }

    @Test
    void aRepeatIsNotHandled() {
        assertThat(consumer.once("c", event, () -> effect(1))).isTrue();
        assertThat(consumer.once("c", event, () -> effect(2))).isFalse();
        assertThat(consumer.once("c", UUID.randomUUID(), () -> effect(3))).isTrue();
        assertThat(effects()).containsExactly(1, 3);
    }

    @Test
    void eachConsumerHandlesTheEventOnce() {
        for (int delivery = 0; delivery < 2; delivery++) {
            consumer.once("first", event, () -> effect(1));
            consumer.once("second", event, () -> effect(2));
        }
        assertThat(effects()).containsExactly(1, 2);
        assertThat(processed()).isEqualTo(2);
    }

    @Test
    void concurrentDeliveriesRunOneHandler() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Void> go = new CompletableFuture<>();
        List<Boolean> outcomes = deliveries(go, () -> consumer.once("c", event, () -> effect(runs.incrementAndGet())));
        assertThat(outcomes).hasSize(THREADS).containsOnlyOnce(true);
        assertThat(runs).hasValue(1);
        assertThat(effects()).containsExactly(1);
        assertThat(processed()).isEqualTo(1);
    }

    @Test
    void whenTheFirstFailsExactlyOneOfThoseWhoWaitRuns() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Void> go = new CompletableFuture<>();
        List<Boolean> outcomes = deliveries(go, () -> {
            try {
                return consumer.once("c", event, () -> {
                    int run = runs.incrementAndGet();
                    effect(run);
                    if (run == 1) {
                        await().atMost(BOUND).until(() -> waiting() == THREADS - 1);
                        throw new IllegalStateException("the first fails");
                    }
                });
            } catch (IllegalStateException e) {
                return null;
            }
        });
        assertThat(runs).hasValue(2);
        assertThat(outcomes).containsOnlyOnce((Boolean) null).containsOnlyOnce(true);
        assertThat(effects()).containsExactly(2);
        assertThat(processed()).isEqualTo(1);
    }

    @Test
    void aCheckedExceptionRollsBackAndReachesTheCaller() {
        IOException failure = new IOException("disk");
        assertThatThrownBy(() -> consumer.once("c", event, () -> {
                    effect(1);
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(effects()).isEmpty();
        assertThat(processed()).isZero();
        assertThat(consumer.once("c", event, () -> effect(1))).isTrue();
    }

    @Test
    void anErrorRollsBackToo() {
        assertThatThrownBy(() -> consumer.once("c", event, () -> {
                    effect(1);
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(effects()).isEmpty();
        assertThat(processed()).isZero();
    }

    @Test
    void aConstraintThatTheHandlerViolatesIsNoRepeat() {
        effect(1);
        for (int delivery = 0; delivery < 2; delivery++) {
            assertThatExceptionOfType(DuplicateKeyException.class)
                    .isThrownBy(() -> consumer.once("c", event, () -> effect(1)));
        }
        assertThat(processed()).isZero();
    }

    @Test
    void aHandlerMayHandleAnotherEvent() {
        UUID inner = UUID.randomUUID();
        assertThatThrownBy(() -> consumer.once("c", event, () -> {
                    consumer.once("c", inner, () -> effect(1));
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(effects()).isEmpty();
        assertThat(processed()).isZero();
    }

    @Test
    void aHandlerMayWriteToTheOutbox() {
        consumer.once("c", event, () -> service.writer().write(to("nowhere").id(event)));
        assertThat(service.jdbc()
                        .queryForObject(
                                "SELECT count(*) FROM outbox_message WHERE message_id = ?", Integer.class, event))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTransactionOfTheCallerIsJoined(boolean commits) {
        new TransactionTemplate(service.bean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            assertThat(consumer.once("c", event, () -> effect(1))).isTrue();
            assertThat(consumer.once("c", event, () -> effect(2))).isFalse();
            assertThat(processed()).isEqualTo(1);
            if (!commits) {
                status.setRollbackOnly();
            }
        });
        assertThat(processed()).isEqualTo(commits ? 1 : 0);
        assertThat(effects()).hasSize(commits ? 1 : 0);
    }

    @Test
    void aFailureInTheTransactionOfTheCallerEndsIt() {
        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> service.inTransaction(() -> {
                    assertThatThrownBy(() -> consumer.once("c", event, () -> {
                                throw new IllegalStateException();
                            }))
                            .isInstanceOf(IllegalStateException.class);
                    return null;
                }));
        assertThat(processed()).isZero();
    }

    @Test
    void noTransactionIsLeftBehind() {
        consumer.once(
                "c",
                event,
                () -> assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                        .isTrue());
        assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                .isFalse();
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    }

    @Test
    void aRecordOfTheRelayIsRecognised() {
        Kafka kafka = TestServers.kafka();
        String topic = Topics.create(kafka, "consumed");
        UUID id = service.write(to(topic).json("{}")).get(0);
        await().atMost(BOUND)
                .until(() -> service.jdbc()
                        .queryForObject(
                                "SELECT published_at IS NOT NULL FROM outbox_message WHERE message_id = ?",
                                Boolean.class,
                                id));
        ConsumerRecord<byte[], byte[]> record = Topics.read(kafka, topic).get(0);
        assertThat(consumer.once("c", record, () -> effect(1))).isTrue();
        assertThat(consumer.once("c", record, () -> effect(2))).isFalse();
        assertThat(consumer.once("c", id, () -> effect(3))).isFalse();
        assertThat(effects()).containsExactly(1);
    }

    @Test
    void aRecordWithoutAUsableIdIsRefusedBeforeAnything() {
        ConsumerRecord<String, String> record = new ConsumerRecord<>("t", 0, 0, "k", "v");
        assertThatExceptionOfType(InvalidEventIdException.class)
                .isThrownBy(() -> consumer.once("c", record, () -> effect(1)));
        record.headers().add("event_id", "17".getBytes(StandardCharsets.UTF_8));
        assertThatExceptionOfType(InvalidEventIdException.class)
                .isThrownBy(() -> consumer.once("c", record, () -> effect(1)));
        record.headers().remove("event_id");
        byte[] valid = event.toString().getBytes(StandardCharsets.UTF_8);
        record.headers().add("event_id", valid).add("event_id", valid);
        assertThatExceptionOfType(InvalidEventIdException.class)
                .isThrownBy(() -> consumer.once("c", record, () -> effect(1)));
        assertThat(effects()).isEmpty();
        assertThat(processed()).isZero();
    }

    @Test
    void aNameHasBounds() {
        for (String name : List.of("", " \t", "a\0b", "x".repeat(201))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> consumer.once(name, event, () -> effect(1)))
                    .withMessageContaining("1 to 200 characters");
        }
        for (String name : List.of("x", "x".repeat(200), "ключ 漢字 '\"\uD83D\uDE80")) {
            assertThat(consumer.once(name, event, () -> {})).isTrue();
            assertThat(consumer.once(name, event, () -> {})).isFalse();
        }
        assertThat(effects()).isEmpty();
    }

    private List<Boolean> deliveries(CompletableFuture<Void> go, Callable<Boolean> delivery) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(() -> {
                    go.join();
                    return delivery.call();
                }));
            }
            go.complete(null);
            List<Boolean> outcomes = new ArrayList<>();
            for (Future<Boolean> one : all) {
                outcomes.add(one.get(2 * BOUND.toSeconds(), TimeUnit.SECONDS));
            }
            return outcomes;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Sessions that wait for the end of another transaction. */
    private static int waiting() {
        return service.jdbc()
                .queryForObject(
                        "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN"
                                + " (SELECT pid FROM pg_stat_activity WHERE datname = current_database())",
                        Integer.class);
    }

    private static void effect(int number) {
        service.jdbc().update("INSERT INTO effect VALUES (?)", number);
    }

    private static List<Integer> effects() {
        return service.jdbc().queryForList("SELECT number FROM effect ORDER BY number", Integer.class);
    }

    private static int processed() {
        return service.jdbc().queryForObject("SELECT count(*) FROM processed_event", Integer.class);
    }
}
