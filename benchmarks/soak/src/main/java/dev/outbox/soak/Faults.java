package dev.outbox.soak;

import dev.outbox.soak.DraftMessage.Form;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Makes things go wrong, each in the way of its kind, and right again. */
final class Faults {

    /** Keys of messages that may have to wait for a poison message. */
    static final String POISON_KEYS = "poison-";

    private final long seed;
    private final List<Relay> relays;
    private final BrokerFaults broker;
    private final DatabaseFaults database;
    private final WriteService service;

    Faults(long seed, List<Relay> relays, BrokerFaults broker, DatabaseFaults database, WriteService service) {
        this.seed = seed;
        this.relays = relays;
        this.broker = broker;
        this.database = database;
        this.service = service;
    }

    /** Returns when it is over, and whatever was hurt works again. */
    void happen(Fault fault) throws InterruptedException {
        Duration duration = fault.duration();
        switch (fault.kind()) {
            case KILL_RELAY -> relays.get(fault.target()).killFor(duration);
            case FREEZE_RELAY -> relays.get(fault.target()).freezeFor(duration);
            case KILL_BROKER -> broker.killFor(duration);
            case FREEZE_BROKER -> broker.freezeFor(duration);
            case RESTART_POSTGRES -> database.restart(duration);
            case KILL_POSTGRES -> database.kill(duration);
            case TERMINATE_SESSIONS -> database.terminateSessions();
            case FOREIGN_TRANSACTION -> database.foreignTransaction(duration);
            case LOCKED_ROWS -> database.lockRows(duration);
            case LATE_COMMIT -> commitLate(fault);
            case POISON -> writePoison(fault);
            case DENY_TOPIC -> broker.denyFor(SoakTopics.PLAIN.get(fault.target()), duration);
            case MISSING_TOPIC -> writeToMissingTopic(fault);
        }
    }

    private Drafts drafts(Fault fault) {
        return new Drafts(new Random(seed + fault.number()));
    }

    /** Meanwhile the writers write the same keys. */
    private void commitLate(Fault fault) {
        Drafts drafts = drafts(fault);
        List<DraftMessage> messages = Stream.generate(drafts::busy).limit(10).toList();
        service.write(messages, false, () -> sleep(fault.duration()));
    }

    /** The ones behind it have to wait until it is given up, and no longer. */
    private void writePoison(Fault fault) {
        Drafts drafts = drafts(fault);
        String key = POISON_KEYS + fault.number();
        service.writeForSure(List.of(
                drafts.keyed(SoakTopics.SMALL, key),
                drafts.keyed(SoakTopics.SMALL, key),
                Drafts.tooLarge(key),
                drafts.keyed(SoakTopics.SMALL, key)));
        service.writeForSure(List.of(Drafts.withoutKey(), drafts.keyed(SoakTopics.COMPACTED, drafts.busyKey())));
        service.writeForSure(List.of(drafts.keyed(SoakTopics.SMALL, key)));
    }

    private void writeToMissingTopic(Fault fault) throws InterruptedException {
        String topic = "soak-missing-" + fault.number();
        Drafts drafts = drafts(fault);
        for (int i = 0; i < 10; i++) {
            service.writeForSure(List.of(
                    drafts.keyed(topic, "key-" + i % 3), new DraftMessage(topic, null, "no key", Form.TEXT, false)));
        }
        TimeUnit.MILLISECONDS.sleep(fault.duration().toMillis());
        broker.createTopic(topic);
    }

    private static void sleep(Duration duration) {
        try {
            TimeUnit.MILLISECONDS.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before a late commit", e);
        }
    }
}
