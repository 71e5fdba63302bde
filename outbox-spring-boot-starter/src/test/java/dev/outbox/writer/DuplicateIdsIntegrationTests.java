package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.outbox.DuplicateMessageIdException;
import dev.outbox.OutboxMessage;
import dev.outbox.test.TestService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** A message id is taken once, and a caller who brings it again can go on. */
class DuplicateIdsIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private static TestService service;

    private final UUID id = UUID.randomUUID();

    @BeforeAll
    static void start() {
        service = TestService.onSharedServers().withoutRelay().start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        service.jdbc().execute("TRUNCATE outbox_message");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anIdThatIsThereAlready(boolean published) {
        service.write(to("t").id(id).type("first"));
        if (published) {
            service.jdbc().update("UPDATE outbox_message SET published_at = now()");
        }

        service.inTransaction(() -> {
            service.writer().write(to("t").type("before"));
            assertDuplicate(() -> service.writer().write(to("t").id(id)));
            assertDuplicate(() -> service.writer().writeAll(List.of(to("t"), to("t").id(id), to("t"))));
            return service.writer().write(to("t").type("after"));
        });

        assertThat(types()).containsExactly("first", "before", "after");
    }

    @Test
    void anIdTwiceInOneTransaction() {
        service.inTransaction(() -> {
            service.writer().write(to("t").id(id).type("first"));
            assertDuplicate(() -> service.writer().write(to("t").id(id)));
            return null;
        });
        assertThat(types()).containsExactly("first");
    }

    @Test
    void anIdTwiceInOneListLeavesNothingOfTheList() {
        service.inTransaction(() -> {
            service.writer().write(to("t").type("before"));
            assertDuplicate(() -> service.writer()
                    .writeAll(List.of(to("t").id(UUID.randomUUID()), to("t").id(id), to("t"), to("t").id(id))));
            return service.writer().write(to("t").id(id).type("after"));
        });
        assertThat(types()).containsExactly("before", "after");
    }

    @Test
    void anIdThatComesLateInALongListLeavesNothingOfTheList() {
        service.write(to("t").id(id).type("first"));
        List<OutboxMessage> list = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            list.add(to("t").type("list"));
        }
        list.add(to("t").id(id));
        service.inTransaction(() -> {
            assertDuplicate(() -> service.writer().writeAll(list));
            return service.writer().write(to("t").type("after"));
        });
        assertThat(types()).containsExactly("first", "after");
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void anIdOfATransactionThatHasNotEnded(boolean commits, boolean asList) throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<?> first =
                    threads.submit(() -> new TransactionTemplate(service.bean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> {
                                service.writer().write(to("t").id(id).type("first"));
                                written.countDown();
                                if (!end.join()) {
                                    status.setRollbackOnly();
                                }
                            }));
            assertThat(written.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Future<?> second = threads.submit(() -> service.inTransaction(() -> {
                Runnable write = () -> {
                    OutboxMessage message = to("t").id(id).type("second");
                    if (asList) {
                        service.writer().writeAll(List.of(message));
                    } else {
                        service.writer().write(message);
                    }
                };
                if (commits) {
                    assertDuplicate(write);
                } else {
                    write.run();
                }
                return service.writer().write(to("t").type("after"));
            }));
            await().atMost(BOUND)
                    .until(() -> service.jdbc()
                            .queryForObject(
                                    "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid IN"
                                            + " (SELECT pid FROM pg_stat_activity WHERE datname = current_database()))",
                                    Boolean.class));
            end.complete(commits);
            first.get(BOUND.toSeconds(), TimeUnit.SECONDS);
            second.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        } finally {
            end.complete(false);
            threads.shutdownNow();
        }
        assertThat(types()).containsExactly(commits ? "first" : "second", "after");
    }

    @Test
    void anIdThatIsThereAlreadyInASerializableTransaction() {
        service.write(to("t").id(id).type("first"));
        TransactionTemplate serializable = isolated(TransactionDefinition.ISOLATION_SERIALIZABLE);
        serializable.executeWithoutResult(status -> {
            assertDuplicate(() -> service.writer().write(to("t").id(id)));
            assertDuplicate(() -> service.writer().writeAll(List.of(to("t").id(id))));
            service.writer().write(to("t").type("after"));
        });
        assertThat(types()).containsExactly("first", "after");
    }

    @ParameterizedTest
    @ValueSource(ints = {TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE})
    void anIdThatCameAfterTheSnapshotOfTheTransactionIsAConflictToRepeat(int isolation) {
        TransactionTemplate template = isolated(isolation);
        assertThatExceptionOfType(ConcurrencyFailureException.class)
                .isThrownBy(() -> template.executeWithoutResult(status -> {
                    service.jdbc().queryForObject("SELECT count(*) FROM outbox_message", Integer.class);
                    CompletableFuture.runAsync(
                                    () -> service.write(to("t").id(id).type("first")))
                            .join();
                    service.writer().write(to("t").id(id));
                }));
        template.executeWithoutResult(
                status -> assertDuplicate(() -> service.writer().write(to("t").id(id))));
        assertThat(types()).containsExactly("first");
    }

    private static TransactionTemplate isolated(int isolation) {
        TransactionTemplate template = new TransactionTemplate(service.bean(PlatformTransactionManager.class));
        template.setIsolationLevel(isolation);
        return template;
    }

    private void assertDuplicate(Runnable write) {
        assertThatExceptionOfType(DuplicateMessageIdException.class)
                .isThrownBy(write::run)
                .withMessageContaining(id.toString())
                .satisfies(e -> assertThat(e.messageId()).isEqualTo(id));
    }

    private static List<String> types() {
        return service.jdbc().queryForList("SELECT event_type FROM outbox_message ORDER BY id", String.class);
    }
}
