package dev.outbox.relay;

import dev.outbox.kafka.TopicName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Asks for the topics of a batch before anything is sent. A {@code send} to a topic that does not exist
 * blocks for {@code max.block.ms}, and would do so for each record; asked for here, the topic costs that
 * time once, and its messages are left out.
 */
final class TopicLookup {

    /** Topics that the producer knows: asking for them takes no time. */
    private final Set<String> known = new HashSet<>();

    /**
     * Removes the records whose topic does not work, or cannot be looked at any more in this batch: when one look-up
     * has waited for its whole time, the next has to wait for the next batch.
     *
     * @return the look-ups that failed
     */
    List<Failure> check(Producer<byte[], byte[]> producer, List<OutboxRecord> records, Deadline deadline) {
        Set<String> usable = new HashSet<>();
        List<Failure> failures = new ArrayList<>();
        boolean waited = false;
        for (String topic : topics(records)) {
            if (!TopicName.isLegal(topic)) {
                // Never asked for: a name too long for the protocol would stay with the producer, which could then ask
                // for no topic at all any more.
                failures.add(new Failure(topic, new InvalidTopicException("no topic can have this name")));
            } else if ((!waited || known.contains(topic)) && !deadline.passed()) {
                try {
                    producer.partitionsFor(topic);
                    known.add(topic);
                    usable.add(topic);
                } catch (KafkaException e) {
                    known.remove(topic);
                    failures.add(new Failure(topic, e));
                    waited |= e instanceof TimeoutException;
                }
            }
        }
        records.removeIf(record -> !usable.contains(record.message().topic()));
        return failures;
    }

    /** At first those that are known, then the others in any order, so that each has its turn before a missing one. */
    private List<String> topics(List<OutboxRecord> records) {
        Set<String> all = new LinkedHashSet<>();
        records.forEach(record -> all.add(record.message().topic()));
        List<String> topics = new ArrayList<>(all);
        Collections.shuffle(topics);
        topics.sort((one, other) -> Boolean.compare(known.contains(other), known.contains(one)));
        return topics;
    }

    /** A topic that could not be looked up. */
    record Failure(String topic, KafkaException cause) {}
}
