package dev.outbox.soak;

import static dev.outbox.soak.FaultKind.Place.BROKER;
import static dev.outbox.soak.FaultKind.Place.DATABASE;
import static dev.outbox.soak.FaultKind.Place.NOWHERE;
import static dev.outbox.soak.FaultKind.Place.RELAY;
import static dev.outbox.soak.FaultKind.Place.TOPIC;

/** What can go wrong: where, for how long, and in how many batches it may be felt. */
enum FaultKind {
    /** {@code kill -9}; another one is started after the duration. */
    KILL_RELAY(RELAY, 500, 5_000, Touches.ONE),
    /** SIGSTOP, SIGCONT after the duration: beyond the publish timeout a zombie wakes up. */
    FREEZE_RELAY(RELAY, 1_000, 20_000, Touches.ONE),
    /** {@code kill -9}; started again after the duration. */
    KILL_BROKER(BROKER, 500, 8_000, Touches.ALL),
    FREEZE_BROKER(BROKER, 1_000, 20_000, Touches.ALL),
    /** In order, as by its operator. */
    RESTART_POSTGRES(DATABASE, 200, 3_000, Touches.ALL),
    /** {@code kill -9} of all its processes: it recovers from its log. */
    KILL_POSTGRES(DATABASE, 200, 3_000, Touches.ALL),
    /** {@code pg_terminate_backend} of all sessions of the relays, in whatever they are doing. */
    TERMINATE_SESSIONS(DATABASE, 0, 0, Touches.ALL),
    /** An idle snapshot of someone else's, which keeps dead rows and index entries alive. */
    FOREIGN_TRANSACTION(NOWHERE, 5_000, 40_000, Touches.NONE),
    /** Someone else locks rows that wait to be published. */
    LOCKED_ROWS(NOWHERE, 3_000, 10_000, Touches.ALL),
    /** Takes ids of busy keys, and commits after the duration. */
    LATE_COMMIT(NOWHERE, 2_000, 15_000, Touches.NONE),
    /** A message that no broker takes, amid good ones of its key. */
    POISON(NOWHERE, 0, 0, Touches.ALL),
    /** The relays may not write to a topic, for the duration. */
    DENY_TOPIC(TOPIC, 2_000, 20_000, Touches.ALL),
    /** Messages are written to a topic that is only created after the duration. */
    MISSING_TOPIC(NOWHERE, 2_000, 20_000, Touches.ALL);

    /** Two faults of one place follow one another; those of different places may overlap. */
    enum Place {
        RELAY,
        BROKER,
        DATABASE,
        TOPIC,
        NOWHERE
    }

    /** In how many batches a fault may cause repeats. A relay has one batch in flight. */
    enum Touches {
        NONE,
        /** In the batch of one relay. */
        ONE,
        /** In the batch of each relay. */
        ALL
    }

    private final Place place;
    private final int shortest;
    private final int longest;
    private final Touches touches;

    FaultKind(Place place, int shortestMillis, int longestMillis, Touches touches) {
        this.place = place;
        this.shortest = shortestMillis;
        this.longest = longestMillis;
        this.touches = touches;
    }

    Place place() {
        return place;
    }

    int shortestMillis() {
        return shortest;
    }

    int longestMillis() {
        return longest;
    }

    Touches touches() {
        return touches;
    }
}
