package dev.outbox.schema;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Who begins the transactions in which the outbox calls the application's code.
 *
 * @param manager a transaction manager of the outbox's DataSource, or null where the application has none; what needs
 *     one says so when it is used, so that other applications start without
 */
public record OutboxTransactions(@Nullable PlatformTransactionManager manager) {}
