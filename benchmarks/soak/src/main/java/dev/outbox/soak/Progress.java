package dev.outbox.soak;

import org.springframework.dao.DataAccessException;

/** The live line. */
final class Progress implements Runnable {

    private final Ledger ledger;
    private final Rows rows;
    private final FaultRunner faults;
    private final Journal journal;

    Progress(Ledger ledger, Rows rows, FaultRunner faults, Journal journal) {
        this.ledger = ledger;
        this.rows = rows;
        this.faults = faults;
        this.journal = journal;
    }

    @Override
    public void run() {
        journal.line("committed %,9d  pending %s  faults over %d, going on %s"
                .formatted(ledger.messageCount(), pending(), faults.happened().size(), faults.running()));
    }

    private String pending() {
        try {
            return "%,7d".formatted(rows.pending());
        } catch (DataAccessException e) {
            return "      ?";
        }
    }
}
