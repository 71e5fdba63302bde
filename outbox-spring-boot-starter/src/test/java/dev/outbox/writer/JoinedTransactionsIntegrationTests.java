package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Wherever a transaction of the outbox's DataSource is the innermost one, messages are written, and published as soon
 * as it commits: the relay polls once an hour here, so what arrives was announced.
 */
class JoinedTransactionsIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private static final Kafka kafka = TestServers.kafka();
    private static TestService service;
    private static OutboxWriter writer;

    private final String topic = Topics.create(kafka, "joined");

    @BeforeAll
    static void start() {
        service = TestService.onSharedServers()
                .with("outbox.relay.poll-interval", "1h")
                .with(Application.class)
                .start();
        writer = service.writer();
        service.jdbc().execute("CREATE TABLE business (done text)");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        service.jdbc().execute("TRUNCATE outbox_message, business");
    }

    @Test
    void aTransactionalMethod() {
        service.bean(Shop.class).place(() -> write("a"));
        assertPublished("a");
    }

    @Test
    void aTransactionTemplate() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> write("a"));
        assertPublished("a");
    }

    @Test
    void aMethodThatJoins() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write("a");
            inTransaction(TransactionDefinition.PROPAGATION_SUPPORTS, inner -> write("b"));
            inTransaction(TransactionDefinition.PROPAGATION_MANDATORY, inner -> write("c"));
            write("d");
        });
        assertPublished("a", "b", "c", "d");
    }

    @Test
    void anotherIsolationLevel() {
        TransactionTemplate template = new TransactionTemplate(service.bean(PlatformTransactionManager.class));
        template.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
        template.executeWithoutResult(status -> write("a"));
        assertPublished("a");
    }

    @ParameterizedTest
    @EnumSource
    void codeThatRunsBeforeTheCommit(BeforeCommit callback) {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write("a");
            callback.register(() -> {
                inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, inner -> write("b"));
                write("c");
            });
        });
        assertPublished("a", "b", "c");
    }

    @ParameterizedTest
    @EnumSource
    void theFirstWriteBeforeTheCommit(BeforeCommit callback) {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> callback.register(() -> write("a")));
        assertPublished("a");
    }

    @ParameterizedTest
    @EnumSource
    void codeBeforeTheCommitOfATransactionThatRollsBack(BeforeCommit callback) {
        try {
            inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
                callback.register(() -> {
                    write("lost");
                    throw new IllegalStateException("no commit");
                });
                // This one's failure stops no commit.
                if (callback == BeforeCommit.RAW_BEFORE_COMPLETION) {
                    status.setRollbackOnly();
                }
            });
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("no commit");
        }
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> write("b"));
        assertPublished("b");
    }

    @Test
    void aNewTransactionInsideOfOurs() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write("lost with the outer one");
            inTransaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW, inner -> write("a"));
            write("lost, too");
            status.setRollbackOnly();
        });
        assertPublished("a");
    }

    @Test
    void aNewTransactionThatRollsBackInsideOfOurs() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write("a");
            inTransaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW, inner -> {
                write("lost");
                inner.setRollbackOnly();
            });
            write("b");
        });
        assertPublished("a", "b");
    }

    @Test
    void aNewTransactionInsideOfThatOfAnotherManager() {
        PlatformTransactionManager other = new JdbcTransactionManager(new DriverManagerDataSource(
                TestServers.postgres().createDatabase(),
                TestServers.postgres().user(),
                TestServers.postgres().password()));
        inTransaction(
                TransactionDefinition.PROPAGATION_REQUIRED,
                status -> new TransactionTemplate(other).executeWithoutResult(foreign -> {
                    inTransaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW, inner -> write("a"));
                    foreign.setRollbackOnly();
                }));
        assertPublished("a");
    }

    @Test
    void aNewTransactionInAListenerAfterTheCommit() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write("a");
            service.context()
                    .publishEvent(new After(
                            () -> inTransaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW, inner -> write("b"))));
        });
        assertPublished("a", "b");
    }

    @Test
    void onlyWhatSurvivesOfNestedTransactionsIsPublishedAndCounted() {
        double before = publishedCount();
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write("a");
            inTransaction(TransactionDefinition.PROPAGATION_NESTED, nested -> {
                write("lost");
                inTransaction(TransactionDefinition.PROPAGATION_NESTED, inner -> write("lost, too"));
                nested.setRollbackOnly();
            });
            inTransaction(TransactionDefinition.PROPAGATION_NESTED, nested -> write("b"));
            write("c");
        });
        assertPublished("a", "b", "c");
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(publishedCount() - before).isEqualTo(3));
    }

    @Test
    void savepointsAddNothingToTheTransaction() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write("a");
            int before = TransactionSynchronizationManager.getSynchronizations().size();
            inTransaction(TransactionDefinition.PROPAGATION_NESTED, nested -> write("b"));
            inTransaction(TransactionDefinition.PROPAGATION_NESTED, nested -> write("c"));
            assertThat(TransactionSynchronizationManager.getSynchronizations()).hasSize(before);
        });
        assertPublished("a", "b", "c");
    }

    @Test
    void nothingOfNestedTransactionsSurvivesTheOuterOne() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            inTransaction(TransactionDefinition.PROPAGATION_NESTED, nested -> write("lost"));
            status.setRollbackOnly();
        });
        inTransaction(TransactionDefinition.PROPAGATION_NESTED, status -> write("a"));
        assertPublished("a");
    }

    @Test
    void aCallbackThatFailsAfterTheCommitDoesNotKeepTheNewsFromTheRelay() {
        assertThatIllegalStateException()
                .isThrownBy(() -> inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public int getOrder() {
                            return Integer.MIN_VALUE;
                        }

                        @Override
                        public void afterCommit() {
                            throw new IllegalStateException("the application's own");
                        }
                    });
                    write("a");
                }))
                .withMessage("the application's own");
        assertPublished("a");
    }

    private void write(String value) {
        writer.write(to(topic).key("k").payload(value));
        service.jdbc().update("INSERT INTO business VALUES (?)", value);
    }

    private void assertPublished(String... values) {
        await().atMost(BOUND).until(() -> service.pending() == 0);
        assertThat(Topics.read(kafka, topic)).extracting(Topics::value).containsExactly(values);
        assertThat(service.jdbc().queryForList("SELECT done FROM business", String.class))
                .containsExactlyInAnyOrder(values);
    }

    private static double publishedCount() {
        return service.bean(MeterRegistry.class)
                .get("outbox.events.published")
                .counter()
                .count();
    }

    private static void inTransaction(int propagation, Consumer<TransactionStatus> work) {
        TransactionTemplate template = new TransactionTemplate(service.bean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        template.executeWithoutResult(work);
    }

    /** Code that Spring runs between the end of the work and the commit. */
    enum BeforeCommit {
        LISTENER,
        RAW_BEFORE_COMMIT,
        RAW_BEFORE_COMPLETION;

        void register(Runnable work) {
            if (this == LISTENER) {
                service.context().publishEvent(new Before(work));
            } else {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        if (BeforeCommit.this == RAW_BEFORE_COMMIT) {
                            work.run();
                        }
                    }

                    @Override
                    public void beforeCompletion() {
                        if (BeforeCommit.this == RAW_BEFORE_COMPLETION) {
                            work.run();
                        }
                    }
                });
            }
        }
    }

    record Before(Runnable work) {}

    record After(Runnable work) {}

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Shop shop() {
            return new Shop();
        }

        @Bean
        Listener listener() {
            return new Listener();
        }
    }

    static class Shop {

        @Transactional
        public void place(Runnable work) {
            work.run();
        }
    }

    static class Listener {

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        public void before(Before event) {
            event.work().run();
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        public void after(After event) {
            event.work().run();
        }
    }
}
