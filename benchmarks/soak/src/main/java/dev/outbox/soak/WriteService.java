package dev.outbox.soak;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** A service that writes and does not publish. Each transaction ends up in the ledger as what it really became. */
final class WriteService implements AutoCloseable {

    private static final String CREATE_BUSINESS =
            "CREATE TABLE soak_transaction (number bigint PRIMARY KEY, messages int NOT NULL)";
    private static final String BUSINESS = "INSERT INTO soak_transaction (number, messages) VALUES (?, ?)";

    /**
     * Waits until the transaction with that number has ended, if it has not, and adds a row if it did not commit. Its
     * id would tell less: after a crash PostgreSQL uses ids again that it had given to transactions it has forgotten.
     */
    private static final String PROBE =
            "INSERT INTO soak_transaction (number, messages) VALUES (?, 0) ON CONFLICT DO NOTHING";

    private final ConfigurableApplicationContext context;
    private final Ledger ledger;
    private final OutboxWriter writer;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;

    private WriteService(ConfigurableApplicationContext context, Ledger ledger) {
        this.context = context;
        this.ledger = ledger;
        this.writer = context.getBean(OutboxWriter.class);
        this.jdbc = context.getBean(JdbcTemplate.class);
        this.transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    /** Starts it on a new database, whose tables it creates. */
    static WriteService start(String jdbcUrl, Postgres postgres, Kafka kafka, Ledger ledger) {
        Map<String, Object> properties = Map.of(
                "spring.main.banner-mode",
                "off",
                "spring.datasource.url",
                jdbcUrl,
                "spring.datasource.username",
                postgres.user(),
                "spring.datasource.password",
                postgres.password(),
                "spring.datasource.hikari.connection-timeout",
                2_000,
                "spring.datasource.hikari.maximum-pool-size",
                20,
                "spring.kafka.bootstrap-servers",
                kafka.bootstrapServers(),
                "outbox.relay.enabled",
                false,
                "logging.level.root",
                "error");
        WriteService service = new WriteService(
                new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .registerShutdownHook(false)
                        .properties(properties)
                        .run(),
                ledger);
        service.jdbc.execute(CREATE_BUSINESS);
        return service;
    }

    JdbcTemplate jdbc() {
        return jdbc;
    }

    /**
     * Writes messages in one transaction, beside a row of the business.
     *
     * @param rollBack whether to roll back instead of commit
     * @param beforeCommit runs after the messages were written
     * @return whether the transaction has committed; if not, and it was to, a fault prevented it
     */
    boolean write(List<DraftMessage> drafts, boolean rollBack, Runnable beforeCommit) {
        Attempt attempt = new Attempt(ledger.nextNumber(), drafts);
        try {
            transactions.executeWithoutResult(status -> {
                attempt.write();
                beforeCommit.run();
                if (rollBack) {
                    status.setRollbackOnly();
                } else {
                    attempt.commits();
                }
            });
        } catch (DataAccessException | TransactionException e) {
            return attempt.failed();
        }
        if (rollBack) {
            ledger.rolledBack();
            return false;
        }
        attempt.committed();
        return true;
    }

    /** Writes messages, again and again until the transaction has committed. */
    void writeForSure(List<DraftMessage> drafts) {
        while (!write(drafts, false, () -> {})) {
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the database was away", e);
        }
    }

    @Override
    public void close() {
        context.close();
    }

    private final class Attempt {

        private final long number;
        private final List<DraftMessage> drafts;
        private final List<UUID> ids = new ArrayList<>();
        private final long writeStart = System.nanoTime();
        private boolean commitSent;
        private long commitStart;

        private Attempt(long number, List<DraftMessage> drafts) {
            this.number = number;
            this.drafts = drafts;
        }

        /** One by one or together, as a service may do either. */
        private void write() {
            jdbc.update(BUSINESS, number, drafts.size());
            List<OutboxMessage> messages = new ArrayList<>();
            for (int index = 0; index < drafts.size(); index++) {
                messages.add(drafts.get(index).message(number, index));
            }
            if (number % 2 == 0) {
                ids.addAll(writer.writeAll(messages));
            } else {
                messages.forEach(message -> ids.add(writer.write(message)));
            }
        }

        private void commits() {
            commitSent = true;
            commitStart = System.nanoTime();
        }

        private void committed() {
            List<Written.Message> messages = new ArrayList<>();
            for (int index = 0; index < drafts.size(); index++) {
                messages.add(drafts.get(index).written(index, ids.get(index)));
            }
            ledger.committed(new Written(number, writeStart, commitStart, System.nanoTime(), List.copyOf(messages)));
        }

        /** Without a commit sent nothing can have been committed. With one, only the database knows. */
        private boolean failed() {
            if (!commitSent) {
                ledger.broken();
                return false;
            }
            boolean committed = hasCommitted();
            ledger.resolved();
            if (committed) {
                committed();
            } else {
                ledger.broken();
            }
            return committed;
        }

        private boolean hasCommitted() {
            while (true) {
                try {
                    Integer added = transactions.execute(status -> {
                        status.setRollbackOnly();
                        return jdbc.update(PROBE, number);
                    });
                    return Objects.requireNonNull(added) == 0;
                } catch (DataAccessException | TransactionException e) {
                    // The database is still away.
                    pause();
                }
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
