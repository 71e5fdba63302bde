package dev.outbox.relay;

import dev.outbox.relay.PendingMessage.OrderKey;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this relay leaves out of its claims for a while: keys whose oldest message waits for its next
 * attempt, and topics that do not work. It only saves the reading of rows that could not be sent
 * anyway. The order of messages never rests on it: a row that waits holds back the rest of its key
 * wherever it is read. For one thread.
 */
final class HeldBack {

    private final LongSupplier nanoTime;
    private final Backoff topicBackoff;
    private final Map<OrderKey, HeldKey> keys = new HashMap<>();
    private final Map<String, FailingTopic> topics = new HashMap<>();
    private long lastLook;

    HeldBack(LongSupplier nanoTime, Backoff topicBackoff) {
        this.nanoTime = nanoTime;
        this.topicBackoff = topicBackoff;
        this.lastLook = nanoTime.getAsLong();
    }

    /** Holds back the message's key. */
    void hold(PendingMessage message, Duration duration) {
        keys.put(message.orderKey(), new HeldKey(message.lane(), nanoTime.getAsLong() + duration.toNanos()));
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

    /** Holds a topic for a moment, without a judgement on it. */
    void holdTopicBriefly(String topic, Duration duration) {
        FailingTopic before = topics.get(topic);
        topics.put(
                topic,
                new FailingTopic(before == null ? 0 : before.failures, nanoTime.getAsLong() + duration.toNanos()));
    }

    /**
     * How long it is until something may go that was left out of the last look; none, if its time has ended since then;
     * for ever, if nothing was.
     */
    Duration nextRelease() {
        return Stream.concat(
                        keys.values().stream().map(HeldKey::until),
                        topics.values().stream().map(FailingTopic::until))
                .filter(until -> until - lastLook > 0)
                .map(until -> Duration.ofNanos(Math.max(0, until - nanoTime.getAsLong())))
                .min(Comparator.naturalOrder())
                .orElse(ChronoUnit.FOREVER.getDuration());
    }

    /** Whether a topic is held for a moment only, until it is known whether it works. */
    boolean hasTopicInDoubt() {
        return topics.values().stream().anyMatch(topic -> topic.failures == 0);
    }

    /** How many keys are held back, those included whose time has just ended. */
    int size() {
        return keys.size();
    }

    void topicWorks(String topic) {
        topics.remove(topic);
    }

    /** What is to be left out now. */
    Exclusions exclusions() {
        lastLook = nanoTime.getAsLong();
        keys.values().removeIf(held -> held.until - lastLook <= 0);
        Map<OrderKey, Integer> lanes = new HashMap<>();
        keys.forEach((key, held) -> lanes.put(key, held.lane));
        Set<String> failing = topics.entrySet().stream()
                .filter(topic -> topic.getValue().until - lastLook > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        return new Exclusions(failing, lanes);
    }

    private record HeldKey(int lane, long until) {}

    private record FailingTopic(int failures, long until) {}
}
