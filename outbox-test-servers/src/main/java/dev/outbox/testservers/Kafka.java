package dev.outbox.testservers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A Kafka broker (or cluster) on which a test makes topics of its own; topics are never created by themselves. */
public interface Kafka {

    /** The addresses for {@code bootstrap.servers}. */
    String bootstrapServers();

    /** Creates a topic and returns when each of its partitions has a leader. */
    void createTopic(String name, int partitions, Map<String, String> config);

    /**
     * Reads a topic from its beginning to the end it has at the time of the call, uncommitted records included.
     *
     * @param bound how long the reading may take altogether
     * @return the records of partition 0 in their order, then those of partition 1, and so on
     * @throws IllegalStateException when the end was not reached within the bound
     */
    List<ConsumerRecord<byte[], byte[]>> readAll(String topic, Duration bound);
}
