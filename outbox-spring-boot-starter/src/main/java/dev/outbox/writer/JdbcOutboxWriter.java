package dev.outbox.writer;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWakeUp;
import dev.outbox.OutboxWriter;
import java.util.List;
import java.util.UUID;
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
        this.wakeUpAfterCommit = new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                wakeUp.wakeUp();
            }
        };
    }

    @Override
    public UUID write(OutboxMessage message) {
        transaction.require();
        MessageRow row = messages.row(message);
        rows.insert(row);
        wakeUpAfterCommit();
        return row.id();
    }

    @Override
    public List<UUID> writeAll(List<OutboxMessage> messages) {
        transaction.require();
        List<MessageRow> all = messages.stream().map(this.messages::row).toList();
        if (!all.isEmpty()) {
            rows.insertAll(all);
            wakeUpAfterCommit();
        }
        return all.stream().map(MessageRow::id).toList();
    }

    private void wakeUpAfterCommit() {
        // The synchronizations of a transaction are a set, so this one runs once however much is written.
        TransactionSynchronizationManager.registerSynchronization(wakeUpAfterCommit);
    }
}
