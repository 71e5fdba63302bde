package dev.outbox.testservers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A Kafka that runs already, known by its bootstrap servers. */
record KafkaAddress(String bootstrapServers) implements Kafka {

    private static final Duration BOUND = Duration.ofSeconds(60);

    @Override
    public void createTopic(String name, int partitions, Map<String, String> config) {
        NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(config);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            get(admin.createTopics(List.of(topic)).all());
            Poll.until(BOUND, "each partition of " + name + " has a leader", () -> isUsable(admin, name, partitions));
        }
    }

    private static boolean isUsable(Admin admin, String topic, int partitions) {
        try {
            return get(admin.describeTopics(List.of(topic)).allTopicNames()).values().stream()
                    .map(TopicDescription::partitions)
                    .allMatch(known -> known.size() == partitions
                            && known.stream().allMatch(partition -> partition.leader() != null));
        } catch (UnknownTopicOrPartitionException e) {
            return false;
        }
    }

    @Override
    public List<ConsumerRecord<byte[], byte[]>> readAll(String topic, Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic, bound).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, bound);
            while (!reached(consumer, ends, bound)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("The end of " + topic + " was not reached within " + bound
                            + "; records read: " + records.size() + ", ends: " + ends);
                }
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            records.removeIf(
                    record -> record.offset() >= ends.getOrDefault(new TopicPartition(topic, record.partition()), 0L));
        }
        records.sort(Comparator.comparingInt(ConsumerRecord::partition));
        return records;
    }

    private static boolean reached(Consumer<?, ?> consumer, Map<TopicPartition, Long> ends, Duration bound) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey(), bound) >= end.getValue());
    }

    private Consumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "enable.auto.commit", "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("Kafka did not answer within " + BOUND, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for Kafka", e);
        }
    }

    @Override
    public String toString() {
        return "Kafka at " + bootstrapServers;
    }
}
