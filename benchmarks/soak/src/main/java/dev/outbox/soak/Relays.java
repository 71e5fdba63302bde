package dev.outbox.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All relays of a run. */
final class Relays {

    private static final Duration START = Duration.ofMinutes(5);

    private final List<Relay> relays = new ArrayList<>();

    /** Starts so many, and returns when all are up. */
    void start(int count, List<String> properties, Journal journal) throws InterruptedException {
        for (int i = 1; i <= count; i++) {
            String name = DatabaseFaults.RELAY_SESSIONS + i;
            List<String> own = new ArrayList<>(properties);
            own.add("--spring.datasource.hikari.data-source-properties.ApplicationName=" + name);
            Relay relay = new Relay(name, own, journal.directory(), journal);
            relays.add(relay);
            relay.start();
        }
        long deadline = System.nanoTime() + START.toNanos();
        while (!relays.stream().allMatch(Relay::isReady)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("The relays did not come up within " + START);
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    List<Relay> all() {
        return Collections.unmodifiableList(relays);
    }

    /** Called now and then: starts again what has ended by itself. */
    void supervise() {
        relays.forEach(Relay::supervise);
    }

    /** Asks all to end, and says in the verdict what was wrong with them. */
    void terminate(Verdict verdict) throws InterruptedException {
        for (Relay relay : relays) {
            if (!relay.terminate()) {
                verdict.violation(Violation.RELAY_HUNG, relay.toString());
            }
            if (relay.ownEnds() > 0) {
                verdict.violation(Violation.RELAY_ENDED, relay + ", times: " + relay.ownEnds());
            }
        }
    }

    /** At the end of a run, in whatever state they are. */
    void kill() {
        relays.forEach(Relay::kill);
    }

    /** How often one was started. */
    int starts() {
        return relays.stream().mapToInt(Relay::starts).sum();
    }
}
