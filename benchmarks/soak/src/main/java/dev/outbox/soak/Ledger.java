package dev.outbox.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** What the writers know: every committed transaction, and how many were not. Thread-safe. */
final class Ledger {

    private final Queue<Written> committed = new ConcurrentLinkedQueue<>();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong rolledBack = new AtomicLong();
    private final AtomicLong broken = new AtomicLong();
    private final AtomicLong resolved = new AtomicLong();

    /** A number for the next transaction. */
    long nextNumber() {
        return numbers.incrementAndGet();
    }

    void committed(Written transaction) {
        committed.add(transaction);
        messages.addAndGet(transaction.messages().size());
    }

    /** As the writer wanted it. */
    void rolledBack() {
        rolledBack.incrementAndGet();
    }

    /** A fault ended the transaction before its commit was sent, or the database says that it did not commit. */
    void broken() {
        broken.incrementAndGet();
    }

    /** The answer to a commit got lost, and the database was asked. */
    void resolved() {
        resolved.incrementAndGet();
    }

    long messageCount() {
        return messages.get();
    }

    List<Written> all() {
        return new ArrayList<>(committed);
    }

    String summary() {
        return "transactions committed %,d, rolled back %,d, broken by faults %,d; commits of unknown outcome resolved %,d"
                .formatted(committed.size(), rolledBack.get(), broken.get(), resolved.get());
    }
}
