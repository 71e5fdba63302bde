package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.OutboxTransactionException;
import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Outside of a transaction of the outbox's DataSource, or after its end, a write fails at once with advice. It leaves
 * no row, and the transaction of the caller goes on: whether or not the pool commits each statement that is in none.
 */
@ParameterizedClass(name = "auto-commit of the pool {0}")
@ValueSource(booleans = {true, false})
class TransactionRefusalsIntegrationTests {

    private static final String REFUSED = "refused";

    private static TestService service;
    private static OutboxWriter writer;

    @SuppressWarnings("unused") // each test runs once for each
    TransactionRefusalsIntegrationTests(boolean autoCommit) {}

    @BeforeParameterizedClassInvocation
    static void start(boolean autoCommit) {
        service = TestService.onSharedServers()
                .withoutRelay()
                .with("spring.datasource.hikari.auto-commit", autoCommit)
                .with("other.auto-commit", autoCommit)
                .with(OtherTransactions.class)
                .with(Shop.class)
                .with(Listener.class)
                .start();
        writer = service.writer();
        service.inTransaction(() -> {
            service.jdbc().execute("CREATE TABLE business (done text)");
            return null;
        });
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        service.inTransaction(() -> {
            service.jdbc().execute("TRUNCATE outbox_message, business");
            return null;
        });
    }

    @AfterEach
    void nothingThatWasRefusedIsThere() {
        assertThat(written()).doesNotContain(REFUSED);
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    }

    @Test
    void noTransaction() {
        assertRefused("@Transactional");
        service.inTransaction(TransactionRefusalsIntegrationTests::goOn);
        assertWentOn();
    }

    @Test
    void aTransactionalMethodThatIsNotCalledThroughItsProxy() {
        Shop shop = service.bean(Shop.class);
        shop.callsItself();
        shop.transactional(TransactionRefusalsIntegrationTests::goOn);
        assertWentOn();
    }

    @Test
    void anotherThread() {
        service.inTransaction(() -> {
            CompletableFuture.runAsync(() -> assertRefused("in this thread")).join();
            return goOn();
        });
        assertWentOn();
    }

    @Test
    void aReadOnlyTransaction() {
        TransactionTemplate readOnly = transaction(TransactionDefinition.PROPAGATION_REQUIRED);
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> {
            assertRefused("read-only");
            touch();
            transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW).execute(inner -> goOn());
            assertRefused("read-only");
        });
        assertWentOn();
    }

    @Test
    void synchronizationWithoutATransaction() {
        transaction(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult(status -> {
            touch();
            assertRefused("@Transactional");
            transaction(TransactionDefinition.PROPAGATION_REQUIRED).execute(inner -> goOn());
        });
        assertWentOn();
    }

    @Test
    void aTransactionThatIsSuspended() {
        service.inTransaction(() -> {
            transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED).executeWithoutResult(status -> {
                assertRefused("@Transactional");
                touch();
                assertRefused("@Transactional");
            });
            return goOn();
        });
        assertWentOn();
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionOfAnotherManagerAlone(OtherTransaction other) {
        other.run(() -> {
            assertRefused("of the outbox's DataSource");
            // Binds a connection to the thread, which nobody commits.
            touch();
            assertRefused("of the outbox's DataSource");
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionOfAnotherManagerInsideOfOurs(OtherTransaction other) {
        service.inTransaction(() -> {
            touch();
            other.run(() -> {
                assertRefused("begun inside");
                touch();
                assertRefused("begun inside");
                transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW).execute(status -> write("new"));
                assertRefused("begun inside");
            });
            return goOn();
        });
        assertWentOn("new");
    }

    @ParameterizedTest
    @EnumSource
    void ourTransactionInsideOfThatOfAnotherManager(OtherTransaction other) {
        other.run(() -> {
            touch();
            service.inTransaction(TransactionRefusalsIntegrationTests::goOn);
            assertRefused("of the outbox's DataSource");
        });
        assertWentOn();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "KAFKA")
    void anotherManagersTransactionThatHasCompletedInsideOfOurs(OtherTransaction other) {
        service.inTransaction(() -> {
            List<String> refusals = new ArrayList<>();
            other.run(() -> Callback.RAW_AFTER_COMMIT.register(() -> refusals.add(refusal())));
            assertThat(refusals).singleElement().asString().contains("begun inside");
            return goOn();
        });
        assertWentOn();
    }

    @ParameterizedTest
    @EnumSource
    void callbacksAfterTheEnd(Callback callback) {
        List<String> refusals = new ArrayList<>();
        Runnable attempts = () -> {
            refusals.add(refusal());
            touch();
            refusals.add(refusal());
            for (int propagation : new int[] {
                TransactionDefinition.PROPAGATION_REQUIRED,
                TransactionDefinition.PROPAGATION_SUPPORTS,
                TransactionDefinition.PROPAGATION_MANDATORY,
                TransactionDefinition.PROPAGATION_NESTED
            }) {
                // Joins the transaction that is over.
                transaction(propagation).executeWithoutResult(status -> refusals.add(refusal()));
            }
            transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW).execute(status -> goOn());
        };

        transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
            write("before");
            callback.register(attempts);
            if (callback.rollsBack) {
                status.setRollbackOnly();
            }
        });

        assertThat(refusals).hasSize(6);
        assertThat(refusals.subList(0, 5))
                .allMatch(refusal -> refusal.contains("completed already") && refusal.contains("BEFORE_COMMIT"));
        // By then Spring has forgotten that there was a transaction.
        assertThat(refusals.get(5)).containsAnyOf("completed already", "No transaction is running");
        if (callback.rollsBack) {
            assertWentOn();
        } else {
            assertWentOn("before");
        }
    }

    @Test
    void aCallbackAfterTheEndIsRefusedAgainAfterATransactionOfItsOwn() {
        List<String> refusals = new ArrayList<>();
        service.inTransaction(() -> {
            Callback.RAW_AFTER_COMMIT.register(() -> {
                transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW).execute(status -> goOn());
                refusals.add(refusal());
            });
            return null;
        });
        assertThat(refusals).singleElement().asString().contains("completed already");
        assertWentOn();
    }

    /** Writes of both kinds are refused here. */
    private static void assertRefused(String advice) {
        assertThatExceptionOfType(OutboxTransactionException.class)
                .isThrownBy(() -> write(REFUSED))
                .withMessageContaining(advice);
        assertThatExceptionOfType(OutboxTransactionException.class)
                .isThrownBy(() -> writer.writeAll(List.of(to("t").type(REFUSED), to("t").type(REFUSED))))
                .withMessageContaining(advice);
    }

    /** What a write here is refused with: for callbacks whose exceptions nobody sees. */
    private static String refusal() {
        try {
            write(REFUSED);
            return "none";
        } catch (OutboxTransactionException e) {
            return e.getMessage();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    private static Object write(String type) {
        return writer.write(to("t").type(type));
    }

    /** The caller's transaction is usable: for data, and for messages. */
    private static Object goOn() {
        service.jdbc().update("INSERT INTO business VALUES ('done')");
        return write("done");
    }

    private static void assertWentOn(String... others) {
        List<String> all = new ArrayList<>(List.of(others));
        all.add("done");
        assertThat(written()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(service.jdbc().queryForList("SELECT done FROM business", String.class))
                .containsExactly("done");
    }

    private static List<String> written() {
        return service.jdbc().queryForList("SELECT event_type FROM outbox_message", String.class);
    }

    /** Uses the database of the outbox, which binds a connection to the thread where none is bound. */
    private static void touch() {
        service.jdbc().queryForObject("SELECT 1", Integer.class);
    }

    private static TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = new TransactionTemplate(service.bean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template;
    }

    /** Transactions of managers that know nothing of the outbox's DataSource. */
    enum OtherTransaction {
        SECOND_DATA_SOURCE,
        SECOND_DATA_SOURCE_MANAGED_BY_HAND,
        KAFKA,
        KAFKA_WITH_SYNCHRONIZATION;

        void run(Runnable work) {
            PlatformTransactionManager transactions = switch (this) {
                case SECOND_DATA_SOURCE ->
                    service.context().getBean("secondTransactions", PlatformTransactionManager.class);
                case SECOND_DATA_SOURCE_MANAGED_BY_HAND ->
                    new JdbcTransactionManager(service.context().getBean("secondDataSource", DataSource.class));
                case KAFKA -> service.context().getBean("kafkaTransactions", PlatformTransactionManager.class);
                case KAFKA_WITH_SYNCHRONIZATION ->
                    service.context().getBean("synchronizedKafkaTransactions", PlatformTransactionManager.class);
            };
            new TransactionTemplate(transactions).executeWithoutResult(status -> work.run());
        }
    }

    /** Code that Spring runs after the end of a transaction. */
    enum Callback {
        AFTER_COMMIT_LISTENER(false),
        AFTER_ROLLBACK_LISTENER(true),
        AFTER_COMPLETION_LISTENER(false),
        AFTER_COMPLETION_LISTENER_ROLLED_BACK(true),
        RAW_AFTER_COMMIT(false),
        RAW_AFTER_COMPLETION(false),
        RAW_AFTER_COMPLETION_ROLLED_BACK(true);

        private final boolean rollsBack;

        Callback(boolean rollsBack) {
            this.rollsBack = rollsBack;
        }

        void register(Runnable work) {
            if (name().contains("LISTENER")) {
                service.context().publishEvent(new Happened(this, work));
            } else {
                TransactionSynchronizationManager.registerSynchronization(new Raw(this, work));
            }
        }
    }

    /** As early as a callback can ask to be called. */
    private record Raw(Callback callback, Runnable work) implements TransactionSynchronization, PriorityOrdered {

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @Override
        public void afterCommit() {
            if (callback == Callback.RAW_AFTER_COMMIT) {
                work.run();
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (callback != Callback.RAW_AFTER_COMMIT) {
                work.run();
            }
        }
    }

    record Happened(Callback callback, Runnable work) {}

    static class Listener {

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        public void afterCommit(Happened event) {
            run(event, Callback.AFTER_COMMIT_LISTENER);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        public void afterRollback(Happened event) {
            run(event, Callback.AFTER_ROLLBACK_LISTENER);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        public void afterCompletion(Happened event) {
            run(event, Callback.AFTER_COMPLETION_LISTENER, Callback.AFTER_COMPLETION_LISTENER_ROLLED_BACK);
        }

        private static void run(Happened event, Callback... mine) {
            if (List.of(mine).contains(event.callback())) {
                event.work().run();
            }
        }
    }

    static class Shop {

        Object callsItself() {
            return transactional(() -> {
                assertRefused("through the Spring proxy");
                return "refused";
            });
        }

        @Transactional
        public Object transactional(Supplier<Object> work) {
            return work.get();
        }
    }

    /** None of these is a candidate for those who ask for any DataSource or transaction manager. */
    @Configuration(proxyBeanMethods = false)
    static class OtherTransactions {

        @Bean(defaultCandidate = false)
        HikariDataSource secondDataSource(@Value("${other.auto-commit}") boolean autoCommit) {
            Postgres postgres = TestServers.postgres();
            HikariDataSource second = new HikariDataSource();
            second.setJdbcUrl(postgres.createDatabase());
            second.setUsername(postgres.user());
            second.setPassword(postgres.password());
            second.setMaximumPoolSize(2);
            second.setAutoCommit(autoCommit);
            return second;
        }

        @Bean(defaultCandidate = false)
        JdbcTransactionManager secondTransactions(@Qualifier("secondDataSource") DataSource second) {
            return new JdbcTransactionManager(second);
        }

        @Bean(defaultCandidate = false)
        KafkaTransactionManager<String, String> kafkaTransactions() {
            return new KafkaTransactionManager<>(producers());
        }

        @Bean(defaultCandidate = false)
        KafkaTransactionManager<String, String> synchronizedKafkaTransactions() {
            KafkaTransactionManager<String, String> transactions = new KafkaTransactionManager<>(producers());
            transactions.setTransactionSynchronization(KafkaTransactionManager.SYNCHRONIZATION_ALWAYS);
            return transactions;
        }

        private static DefaultKafkaProducerFactory<String, String> producers() {
            DefaultKafkaProducerFactory<String, String> producers = new DefaultKafkaProducerFactory<>(
                    Map.of("bootstrap.servers", TestServers.kafka().bootstrapServers()),
                    new StringSerializer(),
                    new StringSerializer());
            producers.setTransactionIdPrefix("tx-" + UUID.randomUUID());
            return producers;
        }
    }
}
