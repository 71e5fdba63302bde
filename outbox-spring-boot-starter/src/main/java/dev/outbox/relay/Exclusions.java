package dev.outbox.relay;

import dev.outbox.relay.PendingMessage.OrderKey;
import java.util.Map;
import java.util.Set;

/**
 * What a claim leaves out.
 *
 * @param topics topics that do not work
 * @param keys keys whose oldest message waits, with their lanes
 */
record Exclusions(Set<String> topics, Map<OrderKey, Integer> keys) {

    static final Exclusions NONE = new Exclusions(Set.of(), Map.of());

    Exclusions {
        topics = Set.copyOf(topics);
        keys = Map.copyOf(keys);
    }

    boolean isEmpty() {
        return topics.isEmpty() && keys.isEmpty();
    }

    String[] topicNames() {
        return topics.toArray(String[]::new);
    }

    /** The length of the topic, colon, topic, key: no two pairs look the same. */
    String[] keyNames() {
        return keys.keySet().stream()
                .filter(key -> key.key() != null)
                .map(key -> codePoints(key.topic()) + ":" + key.topic() + key.key())
                .toArray(String[]::new);
    }

    /** The ids of messages without a key. */
    Long[] idsWithoutKey() {
        return keys.keySet().stream()
                .filter(key -> key.key() == null)
                .map(OrderKey::id)
                .toArray(Long[]::new);
    }

    /** A text's length as PostgreSQL counts. */
    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }
}
