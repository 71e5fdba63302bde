package dev.outbox.soak;

import dev.outbox.testservers.Kafka;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The topics that messages go to. Nothing is ever removed from them, so that the judge sees all. */
final class SoakTopics {

    /** Its broker takes no message above {@link #SMALL_LIMIT}. */
    static final String SMALL = "soak-small";

    static final int SMALL_LIMIT = 60_000;

    /** Its broker takes no message without a key. */
    static final String COMPACTED = "soak-compacted";

    /** Topics that take everything; the ones that are denied now and then. */
    static final List<String> PLAIN = List.of("soak-one", "soak-three", "soak-six");

    private static final Map<String, String> KEEP_ALL = Map.of("retention.ms", "-1", "retention.bytes", "-1");

    private SoakTopics() {}

    static void create(Kafka kafka) {
        kafka.createTopic(PLAIN.get(0), 1, KEEP_ALL);
        kafka.createTopic(PLAIN.get(1), 3, KEEP_ALL);
        kafka.createTopic(PLAIN.get(2), 6, KEEP_ALL);
        kafka.createTopic(SMALL, 2, with("max.message.bytes", Integer.toString(SMALL_LIMIT)));
        Map<String, String> compacted = with("cleanup.policy", "compact");
        compacted.put("min.compaction.lag.ms", Long.toString(Long.MAX_VALUE));
        kafka.createTopic(COMPACTED, 2, compacted);
    }

    /** A topic that messages have been waiting for. */
    static void createMissing(Kafka kafka, String name) {
        kafka.createTopic(name, 2, KEEP_ALL);
    }

    private static Map<String, String> with(String setting, String value) {
        Map<String, String> config = new HashMap<>(KEEP_ALL);
        config.put(setting, value);
        return config;
    }
}
