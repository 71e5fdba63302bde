package dev.outbox.relay;

import dev.outbox.relay.PendingMessage.OrderKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What this relay leaves out of its claims for a while: keys whose oldest message waits for its next
 * attempt, and topics that do not work. It only saves the reading of rows that could not be sent
 * anyway. The order of messages never rests on it: a row that waits holds back the rest of its key
 * wherever it is read. For one thread.
 */
final class HeldBack {

    /** A claim that took longer had many rows to leave out. */
    private static final Duration SLOW_CLAIM = Duration.ofMillis(5);

    /** How much longer than such a claim its lanes rest: with the read, they take a tenth of the relay's time. */
    private static final int REST = 20;

    private static final Duration LONGEST_REST = Duration.ofSeconds(5);

    private final LongSupplier nanoTime;
    private final Backoff topicBackoff;
    private final Map<OrderKey, HeldKey> keys = new HashMap<>();
    private final Map<String, FailingTopic> topics = new HashMap<>();
    private long restUntil;

    HeldBack(LongSupplier nanoTime, Backoff topicBackoff) {
        this.nanoTime = nanoTime;
        this.topicBackoff = topicBackoff;
        this.restUntil = nanoTime.getAsLong();
    }

    /** Holds back the message's key. */
    void hold(PendingMessage message, Duration duration) {
        keys.put(message.orderKey(), new HeldKey(message.lane(), nanoTime.getAsLong() + duration.toNanos()));
    }

    /**
     * Notes how long the database looked for something to claim. It has to walk over all that waits behind the heads
     * of held keys; if that is much, the lanes of these keys rest for a while, so that the other lanes do not pay.
     */
    void claimTook(Duration duration) {
        if (!isAhead(restUntil) && !keys.isEmpty() && duration.compareTo(SLOW_CLAIM) > 0) {
            restUntil = nanoTime.getAsLong() + Math.min(duration.toNanos(), LONGEST_REST.toNanos() / REST) * REST;
        }
    }

    /**
     * Holds a topic, until it works again.
     *
     * @param longer whether for longer each time
     */
    Duration holdTopic(String topic, boolean longer) {
        int failures = longer && topics.containsKey(topic) ? topics.get(topic).failures + 1 : 1;
        Duration delay = topicBackoff.delay(failures);
        topics.put(topic, new FailingTopic(failures, nanoTime.getAsLong() + delay.toNanos()));
        return delay;
    }

    /** How many keys are held back, those included whose time has just ended. */
    int size() {
        return keys.size();
    }

    void topicWorks(String topic) {
        topics.remove(topic);
    }

    /** What is to be left out now, as parameters of the claim. */
    Exclusions exclusions() {
        keys.values().removeIf(held -> !isAhead(held.until));
        String[] failing = topics.entrySet().stream()
                .filter(topic -> isAhead(topic.getValue().until))
                .map(Map.Entry::getKey)
                .toArray(String[]::new);
        if (isAhead(restUntil)) {
            return new Exclusions(failing, new String[0], new Long[0], lanesOfHeldKeys());
        }
        return new Exclusions(
                failing,
                keys.keySet().stream()
                        .filter(key -> key.key() != null)
                        .map(key -> codePoints(key.topic()) + ":" + key.topic() + key.key())
                        .toArray(String[]::new),
                keys.keySet().stream()
                        .filter(key -> key.key() == null)
                        .map(OrderKey::id)
                        .toArray(Long[]::new),
                new Integer[0]);
    }

    private Integer[] lanesOfHeldKeys() {
        return keys.values().stream().map(HeldKey::lane).distinct().toArray(Integer[]::new);
    }

    /** A text's length as PostgreSQL counts. */
    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    private boolean isAhead(long until) {
        return until - nanoTime.getAsLong() > 0;
    }

    private record HeldKey(int lane, long until) {}

    private record FailingTopic(int failures, long until) {}

    /**
     * Parameters of the claim.
     *
     * @param topics topics
     * @param keys length of the topic, colon, topic, key: no two pairs look the same
     * @param ids ids of messages without a key
     * @param lanes lanes not to be looked at; the keys and ids held back are all in them then
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Exclusions(String[] topics, String[] keys, Long[] ids, Integer[] lanes) {

        boolean isEmpty() {
            return topics.length == 0 && keys.length == 0 && ids.length == 0 && lanes.length == 0;
        }
    }
}
