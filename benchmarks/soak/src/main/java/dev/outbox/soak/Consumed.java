package dev.outbox.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** All that an independent consumer finds in the topics, from their beginning to their end. */
final class Consumed {

    private static final Duration BOUND = Duration.ofMinutes(5);

    private Consumed() {}

    /** Each partition in its order. */
    static List<Delivered> all(String bootstrapServers) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", bootstrapServers,
                "enable.auto.commit", "false",
                "auto.offset.reset", "none");
        try (Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            Set<TopicPartition> partitions = consumer.listTopics(BOUND).entrySet().stream()
                    .filter(topic -> topic.getKey().startsWith("soak-"))
                    .flatMap(topic -> topic.getValue().stream())
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .collect(Collectors.toSet());
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            return read(consumer, consumer.endOffsets(partitions, BOUND));
        }
    }

    private static List<Delivered> read(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        List<Delivered> delivered = new ArrayList<>();
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey(), BOUND) < end.getValue())) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("The ends of the topics were not reached within " + BOUND);
            }
            consumer.poll(Duration.ofMillis(200)).forEach(record -> delivered.add(delivered(record)));
        }
        return delivered;
    }

    private static Delivered delivered(ConsumerRecord<byte[], byte[]> record) {
        return new Delivered(
                record.topic(),
                record.partition(),
                record.offset(),
                text(record.headers().lastHeader("event_id")),
                text(record.headers().lastHeader("outbox_sequence")),
                text(record.headers().lastHeader(DraftMessage.POSITION)),
                record.key() == null ? null : new String(record.key(), UTF_8),
                Digest.of(record.value()));
    }

    private static @Nullable String text(@Nullable Header header) {
        return header == null ? null : new String(header.value(), UTF_8);
    }
}
