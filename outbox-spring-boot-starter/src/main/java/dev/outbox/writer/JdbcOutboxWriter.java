package dev.outbox.writer;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWakeUp;
import dev.outbox.OutboxWriter;
import dev.outbox.transaction.CallerTransaction;
import java.util.List;
import java.util.UUID;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Checks the transaction and the message, inserts the row, and has the relay woken after the commit. */
final class JdbcOutboxWriter implements OutboxWriter {

    private final CallerTransaction transaction;
    private final MessageRows messages;
    private final OutboxRows rows;
    private final TransactionSynchronization wakeUpAfterCommit;

    JdbcOutboxWriter(CallerTransaction transaction, MessageRows messages, OutboxRows rows, OutboxWakeUp wakeUp) {
        this.transaction = transaction;
        this.messages = messages;
        this.rows = rows;
        this.wakeUpAfterCommit = new WakeUpAfterCommit(wakeUp);
    }

    @Override
    public UUID write(OutboxMessage message) {
        JdbcTemplate jdbc = transaction.join();
        MessageRow row = messages.row(message);
        rows.insert(jdbc, row);
        wakeUpAfterCommit();
        return row.id();
    }

    @Override
    public List<UUID> writeAll(List<OutboxMessage> messages) {
        JdbcTemplate jdbc = transaction.join();
        List<MessageRow> all = messages.stream().map(this.messages::row).toList();
        if (!all.isEmpty()) {
            rows.insertAll(jdbc, all);
            wakeUpAfterCommit();
        }
        return all.stream().map(MessageRow::id).toList();
    }

    private void wakeUpAfterCommit() {
        // The synchronizations of a transaction are a set, so this one runs once however much is written.
        TransactionSynchronizationManager.registerSynchronization(wakeUpAfterCommit);
    }

    /** Goes ahead of the application's listeners. What it throws here Spring logs, and the caller never sees. */
    private record WakeUpAfterCommit(OutboxWakeUp wakeUp) implements TransactionSynchronization {

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_ROLLED_BACK) {
                wakeUp.wakeUp();
            }
        }
    }
}
