package dev.outbox.relay;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the topics of a batch before anything is sent. A {@code send} to a topic that does not exist
 * blocks for {@code max.block.ms}, and would do so for each record; asked for here, the topic costs that
 * time once, and its messages are left out.
 */
final class TopicLookup {

    /** Topics that the producer knows: asking for them takes no time. */
    private final Set<String> known = new HashSet<>();

    /**
     * Removes the records whose topic does not work, or cannot be looked at any more in this batch.
     *
     * @return the look-up that failed, if one did: it is the last one, since the other topics are not to wait for more
     */
    @Nullable
    Failure check(Producer<byte[], byte[]> producer, List<OutboxRecord> records, Deadline deadline) {
        Set<String> usable = new HashSet<>();
        Failure failure = null;
        for (String topic : topics(records)) {
            if ((failure == null || known.contains(topic)) && !deadline.passed()) {
                try {
                    producer.partitionsFor(topic);
                    known.add(topic);
                    usable.add(topic);
                } catch (KafkaException e) {
                    known.remove(topic);
                    failure = failure == null ? new Failure(topic, e) : failure;
                }
            }
        }
        records.removeIf(record -> !usable.contains(record.message().topic()));
        return failure;
    }

    private static Set<String> topics(List<OutboxRecord> records) {
        return records.stream()
                .map(record -> record.message().topic())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** A topic that could not be looked up. */
    record Failure(String topic, KafkaException cause) {}
}
