package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.OutboxTransactionException;
import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A service whose transaction manager is one of its own around Spring's, which is no bean and takes no listener: it is
 * judged by what shows of its transactions.
 */
@ParameterizedClass(name = "auto-commit of the pool {0}")
@ValueSource(booleans = {true, false})
class UnseenManagersIntegrationTests {

    private static TestService service;
    private static OutboxWriter writer;

    private final PlatformTransactionManager ours = service.bean(PlatformTransactionManager.class);
    private final PlatformTransactionManager other = otherManager();

    @SuppressWarnings("unused") // each test runs once for each
    UnseenManagersIntegrationTests(boolean autoCommit) {}

    @BeforeParameterizedClassInvocation
    static void start(boolean autoCommit) {
        service = TestService.onSharedServers()
                .withoutRelay()
                .with("spring.datasource.hikari.auto-commit", autoCommit)
                .with(OwnManager.class)
                .start();
        writer = service.writer();
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        inTransaction(ours, status -> service.jdbc().execute("TRUNCATE outbox_message"));
    }

    @Test
    void itsTransactionsAreJoined() {
        inTransaction(ours, status -> {
            service.jdbc().queryForObject("SELECT 1", Integer.class);
            write("a");
            write("b");
        });
        inTransaction(ours, status -> {
            write("lost");
            status.setRollbackOnly();
        });
        assertWritten("a", "b");
    }

    @Test
    void aTransactionOfItsInsideOfAnotherOne() {
        inTransaction(ours, status -> {
            write("a");
            TransactionTemplate inner = new TransactionTemplate(ours);
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            inner.executeWithoutResult(innerStatus -> write("b"));
            write("c");
        });
        inTransaction(other, foreign -> inTransaction(ours, status -> write("d")));
        assertWritten("a", "b", "c", "d");
    }

    @Test
    void oneInWhichSomethingWasWrittenIsKnownFromThenOn() {
        List<String> refused = new ArrayList<>();
        inTransaction(ours, status -> {
            write("a");
            inTransaction(other, inside -> assertRefused("begun inside"));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    assertRefused("completed already");
                    refused.add("after commit");
                }

                @Override
                public void afterCompletion(int outcome) {
                    inTransaction(ours, joined -> assertRefused("completed already"));
                    refused.add("after completion");
                }
            });
        });
        assertThat(refused).containsExactly("after commit", "after completion");
        assertWritten("a");
    }

    @Test
    void oneInWhichNothingWasWrittenIsRefusedAfterItsEnd() {
        List<String> refused = new ArrayList<>();
        inTransaction(ours, status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int outcome) {
                    assertRefused("completed already");
                    refused.add("after completion");
                }
            });
        });
        assertThat(refused).containsExactly("after completion");
        assertWritten();
    }

    @Test
    void theTransactionOfAKnownManagerInsideOfIt() {
        PlatformTransactionManager known =
                service.context().getBean("knownTransactions", PlatformTransactionManager.class);
        inTransaction(ours, status -> {
            inTransaction(known, inside -> assertRefused("not one of the outbox's DataSource"));
            write("a");
        });
        assertWritten("a");
    }

    @Test
    void theTransactionOfAnUnseenManagerOfAnotherDataSource() {
        inTransaction(other, status -> {
            assertRefused("not one of the outbox's DataSource");
            service.jdbc().queryForObject("SELECT 1", Integer.class);
            assertRefused("not one of the outbox's DataSource");
        });
        assertWritten();
    }

    @Test
    void aConnectionThatCommitsEachStatement() throws Exception {
        DataSource pool = service.bean(DataSource.class);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(true);
            inTransaction(other, status -> {
                TransactionSynchronizationManager.bindResource(pool, new ConnectionHolder(connection));
                try {
                    assertRefused("not one of the outbox's DataSource");
                } finally {
                    TransactionSynchronizationManager.unbindResource(pool);
                }
            });
        }
        assertWritten();
    }

    private static PlatformTransactionManager otherManager() {
        Postgres postgres = TestServers.postgres();
        return new JdbcTransactionManager(
                new DriverManagerDataSource(postgres.createDatabase(), postgres.user(), postgres.password()));
    }

    private static void write(String type) {
        writer.write(to("t").type(type));
    }

    private static void assertRefused(String advice) {
        assertThatExceptionOfType(OutboxTransactionException.class)
                .isThrownBy(() -> write("refused"))
                .withMessageContaining(advice);
    }

    private static void assertWritten(String... types) {
        assertThat(service.jdbc().queryForList("SELECT event_type FROM outbox_message ORDER BY id", String.class))
                .containsExactly(types);
    }

    private static void inTransaction(PlatformTransactionManager transactions, Consumer<TransactionStatus> work) {
        new TransactionTemplate(transactions).executeWithoutResult(work);
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManager {

        @Bean(defaultCandidate = false)
        PlatformTransactionManager knownTransactions() {
            return otherManager();
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            PlatformTransactionManager real = new JdbcTransactionManager(dataSource);
            return new PlatformTransactionManager() {
                @Override
                public TransactionStatus getTransaction(TransactionDefinition definition) {
                    return real.getTransaction(definition);
                }

                @Override
                public void commit(TransactionStatus status) {
                    real.commit(status);
                }

                @Override
                public void rollback(TransactionStatus status) {
                    real.rollback(status);
                }
            };
        }
    }
}
