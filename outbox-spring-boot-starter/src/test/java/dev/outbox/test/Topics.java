package dev.outbox.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testservers.Kafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** What a test finds in a topic. */
public final class Topics {

    private static final Duration BOUND = Duration.ofMinutes(1);

    private Topics() {}

    /** A topic of the test's own, with one partition unless order across partitions is of interest. */
    public static String create(Kafka kafka, String name, int partitions, Map<String, String> config) {
        String topic = name + "-" + UUID.randomUUID().toString().substring(0, 8);
        kafka.createTopic(topic, partitions, config);
        return topic;
    }

    public static String create(Kafka kafka, String name) {
        return create(kafka, name, 1, Map.of());
    }

    public static List<ConsumerRecord<byte[], byte[]>> read(Kafka kafka, String topic) {
        return kafka.readAll(topic, BOUND);
    }

    /** The ids of the events in a topic, repeats included. */
    public static List<UUID> eventIds(Kafka kafka, String topic) {
        return read(kafka, topic).stream()
                .map(record -> UUID.fromString(header(record, "event_id")))
                .toList();
    }

    public static String header(ConsumerRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    public static @Nullable String value(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? null : new String(record.value(), StandardCharsets.UTF_8);
    }

    /** The values of each key in the order of their first occurrence: repeats of an event are left out. */
    public static Map<String, List<String>> firstOccurrences(
            Iterable<ConsumerRecord<byte[], byte[]>> records, Function<ConsumerRecord<byte[], byte[]>, String> value) {
        Map<String, List<String>> byKey = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            assertThat(record.headers().lastHeader("event_id")).isNotNull();
            if (seen.add(header(record, "event_id"))) {
                byKey.computeIfAbsent(
                                record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
                                key -> new ArrayList<>())
                        .add(value.apply(record));
            }
        }
        return byKey;
    }
}
