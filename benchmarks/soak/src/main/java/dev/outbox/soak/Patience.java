package dev.outbox.soak;

/** A busy machine may not bring a server up within the bound that its tests have. */
final class Patience {

    private static final int TRIES = 5;

    private Patience() {}

    /** Starts a server, and again if it did not come up. */
    static void start(String server, Runnable start, Journal journal) {
        for (int left = TRIES - 1; ; left--) {
            try {
                start.run();
                return;
            } catch (IllegalStateException e) {
                if (left == 0) {
                    throw e;
                }
                journal.line(server + " did not come up and is started again");
            }
        }
    }
}
