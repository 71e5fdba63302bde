package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.OutboxTransactionException;
import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.writer.JpaConfiguration.Purchase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An entity and its message are written by one transaction, in the database's own eyes. */
@ParameterizedClass(name = "auto-commit of the pool {0}")
@ValueSource(booleans = {true, false})
class JpaIntegrationTests {

    private static TestService service;
    private static OutboxWriter writer;
    private static EntityManagerFactory entityManagers;

    @SuppressWarnings("unused") // each test runs once for each
    JpaIntegrationTests(boolean autoCommit) {}

    @BeforeParameterizedClassInvocation
    static void start(boolean autoCommit) {
        service = TestService.onSharedServers()
                .withoutRelay()
                .with("spring.datasource.hikari.auto-commit", autoCommit)
                .with(JpaConfiguration.class)
                .start();
        writer = service.writer();
        entityManagers = service.bean(EntityManagerFactory.class);
        service.inTransaction(() -> {
            service.jdbc().execute("CREATE TABLE purchase (id text)");
            return null;
        });
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        service.close();
    }

    @AfterEach
    void empty() {
        service.inTransaction(() -> {
            service.jdbc().execute("TRUNCATE outbox_message, purchase");
            return null;
        });
    }

    @Test
    void theEntityAndItsMessageAreWrittenByOneTransaction() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            persist("a");
            write("a");
        });
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write("b");
            persist("b");
        });

        assertThat(transactions("SELECT event_type, xmin::text FROM outbox_message"))
                .hasSize(2)
                .isEqualTo(transactions("SELECT id, xmin::text FROM purchase"));
    }

    @Test
    void bothAreLostTogether() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            persist("a");
            write("a");
            entityManager().flush();
            status.setRollbackOnly();
        });
        assertWritten();
    }

    @Test
    void transactionsInsideOfTransactions() {
        inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            persist("a");
            write("a");
            inTransaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW, inner -> {
                persist("b");
                write("b");
            });
            inTransaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW, inner -> {
                persist("lost");
                write("lost");
                inner.setRollbackOnly();
            });
        });
        assertWritten("a", "b");
    }

    @Test
    void anEntityManagerThatIsOpenBeforeTheTransaction() {
        EntityManager open = entityManagers.createEntityManager();
        TransactionSynchronizationManager.bindResource(entityManagers, new EntityManagerHolder(open));
        try {
            inTransaction(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
                persist("a");
                write("a");
            });
        } finally {
            TransactionSynchronizationManager.unbindResource(entityManagers);
            open.close();
        }
        assertWritten("a");
    }

    @Test
    void outsideOfATransactionAndAfterItsEndAMessageIsRefused() {
        assertRefused("@Transactional");
        List<Boolean> refused = new ArrayList<>();
        inTransaction(
                TransactionDefinition.PROPAGATION_REQUIRED,
                status -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        assertRefused("completed already");
                        refused.add(true);
                    }

                    @Override
                    public void afterCompletion(int status) {
                        assertRefused("completed already");
                        inTransaction(
                                TransactionDefinition.PROPAGATION_REQUIRED,
                                joined -> assertRefused("completed already"));
                        inTransaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW, inner -> {
                            persist("a");
                            write("a");
                        });
                        refused.add(true);
                    }
                }));
        assertThat(refused).containsExactly(true, true);
        assertWritten("a");
    }

    @Test
    void aReadOnlyTransaction() {
        TransactionTemplate readOnly = new TransactionTemplate(service.bean(PlatformTransactionManager.class));
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> {
            assertRefused("read-only");
            assertThat(entityManager().find(Purchase.class, "a")).isNull();
        });
        assertWritten();
    }

    private static EntityManager entityManager() {
        return EntityManagerFactoryUtils.getTransactionalEntityManager(entityManagers);
    }

    private static void persist(String id) {
        entityManager().persist(new Purchase(id));
    }

    private static void write(String type) {
        writer.write(to("t").type(type));
    }

    private static void assertRefused(String advice) {
        assertThatExceptionOfType(OutboxTransactionException.class)
                .isThrownBy(() -> write("refused"))
                .withMessageContaining(advice);
    }

    private static void assertWritten(String... expected) {
        assertThat(transactions("SELECT event_type, xmin::text FROM outbox_message"))
                .containsOnlyKeys(expected)
                .isEqualTo(transactions("SELECT id, xmin::text FROM purchase"));
    }

    /** By which transaction each row was written. */
    private static Map<String, String> transactions(String query) {
        return service.jdbc().query(query, rows -> {
            Map<String, String> all = new TreeMap<>();
            while (rows.next()) {
                all.put(rows.getString(1), rows.getString(2));
            }
            return all;
        });
    }

    private static void inTransaction(int propagation, Consumer<TransactionStatus> work) {
        TransactionTemplate template = new TransactionTemplate(service.bean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        template.executeWithoutResult(work);
    }
}
