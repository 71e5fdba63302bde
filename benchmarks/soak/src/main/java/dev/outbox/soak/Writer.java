package dev.outbox.soak;

import java.util.List;
import java.util.Random;

/** One writer: transaction after transaction, a fifth of them rolled back, until it is interrupted or told to stop. */
final class Writer implements Runnable {

    private final WriteService service;
    private final Pace pace;
    private final Random random;
    private final Drafts drafts;
    private volatile boolean stopped;

    Writer(WriteService service, Pace pace, Random random) {
        this.service = service;
        this.pace = pace;
        this.random = random;
        this.drafts = new Drafts(random);
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                List<DraftMessage> transaction = drafts.transaction();
                boolean rollBack = random.nextInt(5) == 0;
                if (!rollBack) {
                    pace.await(transaction.size());
                }
                service.write(transaction, rollBack, () -> {});
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void stop() {
        stopped = true;
    }
}
