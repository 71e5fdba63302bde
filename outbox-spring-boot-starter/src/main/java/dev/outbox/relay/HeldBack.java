package dev.outbox.relay;

import dev.outbox.relay.PendingMessage.OrderKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What this relay leaves out of its claims for a while: keys whose oldest message waits for its next
 * attempt, and topics that do not work. It only saves the reading of rows that could not be sent
 * anyway. The order of messages never rests on it: a row that waits holds back the rest of its key
 * wherever it is read. For one thread.
 */
final class HeldBack {

    private final LongSupplier nanoTime;
    private final Backoff topicBackoff;
    private final Map<OrderKey, Long> keys = new HashMap<>();
    private final Map<String, FailingTopic> topics = new HashMap<>();

    HeldBack(LongSupplier nanoTime, Backoff topicBackoff) {
        this.nanoTime = nanoTime;
        this.topicBackoff = topicBackoff;
    }

    void hold(OrderKey key, Duration duration) {
        keys.put(key, nanoTime.getAsLong() + duration.toNanos());
    }

    /** Holds a topic for longer each time, until it works again. */
    Duration holdTopic(String topic) {
        int failures = topics.containsKey(topic) ? topics.get(topic).failures + 1 : 1;
        Duration delay = topicBackoff.delay(failures);
        topics.put(topic, new FailingTopic(failures, nanoTime.getAsLong() + delay.toNanos()));
        return delay;
    }

    void topicWorks(String topic) {
        topics.remove(topic);
    }

    boolean isHeld(PendingMessage message) {
        Long until = keys.get(message.orderKey());
        FailingTopic topic = topics.get(message.topic());
        return (until != null && isAhead(until)) || (topic != null && isAhead(topic.until));
    }

    /** What is to be left out now, as parameters of the claim. */
    Exclusions exclusions() {
        for (Iterator<Long> untils = keys.values().iterator(); untils.hasNext(); ) {
            if (!isAhead(untils.next())) {
                untils.remove();
            }
        }
        return new Exclusions(
                topics.entrySet().stream()
                        .filter(topic -> isAhead(topic.getValue().until))
                        .map(Map.Entry::getKey)
                        .toArray(String[]::new),
                keys.keySet().stream()
                        .filter(key -> key.key() != null)
                        .map(key -> key.topic().length() + ":" + key.topic() + key.key())
                        .toArray(String[]::new),
                keys.keySet().stream()
                        .filter(key -> key.key() == null)
                        .map(OrderKey::id)
                        .toArray(Long[]::new));
    }

    private boolean isAhead(long until) {
        return until - nanoTime.getAsLong() > 0;
    }

    private record FailingTopic(int failures, long until) {}

    /**
     * Parameters of the claim.
     *
     * @param topics topics
     * @param keys length of the topic, colon, topic, key: no two pairs look the same
     * @param ids ids of messages without a key
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Exclusions(String[] topics, String[] keys, Long[] ids) {

        boolean isEmpty() {
            return topics.length == 0 && keys.length == 0 && ids.length == 0;
        }
    }
}
