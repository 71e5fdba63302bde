package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxMessage;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Messages written by several threads, in transactions of which a third is rolled back. The messages of a key come from
 * one thread and are numbered, so their order is known; gaps are what was rolled back.
 */
final class Load implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(2);

    private static final int THREADS = 8;

    private final TestService service;
    private final String topic;
    private final int keys;
    private final String padding;
    private final Map<String, List<String>> committed = new ConcurrentHashMap<>();
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** Eight keys at least: each thread has keys of its own. */
    Load(TestService service, String topic, int keys) {
        this(service, topic, keys, 0);
    }

    Load(TestService service, String topic, int keys, int padding) {
        this.service = service;
        this.topic = topic;
        this.keys = keys;
        this.padding = "x".repeat(padding);
    }

    /** Writes this many messages, or a few more. */
    void write(int messages) {
        get(start(messages));
    }

    /** Begins to write this many messages, or a few more. One at a time. */
    Future<?> start(int messages) {
        int goal = count.get() + messages;
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int number = thread;
            all.add(CompletableFuture.runAsync(() -> write(new Random(goal + number), number, goal), threads));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    static void get(Future<?> written) {
        try {
            written.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError("The messages were not written", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** How many messages have been committed. */
    int committed() {
        return count.get();
    }

    /** Waits until this many messages have been committed altogether. */
    void awaitCommitted(int messages) {
        await("messages are committed")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> count.get() >= messages);
    }

    private void write(Random random, int thread, int goal) {
        while (count.get() < goal) {
            Map<String, List<String>> transaction = new LinkedHashMap<>();
            List<OutboxMessage> messages = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                String key = "key-" + (thread + THREADS * random.nextInt((keys - thread + THREADS - 1) / THREADS));
                String value = key + ":" + numbers.merge(key, 1, Integer::sum);
                transaction.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
                messages.add(OutboxMessage.to(topic).key(key).payload(value + " " + padding));
            }
            boolean rollBack = random.nextInt(3) == 0;
            try {
                service.inTransaction(() -> {
                    for (OutboxMessage message : messages) {
                        service.writer().write(message);
                    }
                    if (rollBack) {
                        throw new RolledBack();
                    }
                    return messages;
                });
                transaction.forEach((key, values) ->
                        committed.computeIfAbsent(key, k -> new ArrayList<>()).addAll(values));
                count.addAndGet(messages.size());
            } catch (RolledBack e) {
                // as intended
            } catch (RuntimeException e) {
                // The connection broke. Perhaps the database has committed.
                transaction.values().forEach(unknown::addAll);
            }
        }
    }

    /**
     * Exactly what was committed is in the topic, the messages of each key in their order when repeats are left aside,
     * and no message was taken for a bad one.
     */
    void assertPublishedInOrder(Kafka kafka) {
        Map<String, List<String>> rows = rows();
        assertCommitted(rows);
        List<ConsumerRecord<byte[], byte[]>> records = Topics.read(kafka, topic);
        Map<String, List<String>> published = Topics.firstOccurrences(records, Load::value);
        assertThat(published.keySet()).containsExactlyInAnyOrderElementsOf(rows.keySet());
        rows.forEach((key, values) ->
                assertThat(published.get(key)).as("messages of " + key).containsExactlyElementsOf(values));
        assertThat(service.jdbc()
                        .queryForList("SELECT last_error FROM outbox_message WHERE attempts > 0", String.class))
                .as("attempts used")
                .isEmpty();
    }

    /** As {@link #assertPublishedInOrder}, and each message once. */
    void assertPublishedOnce(Kafka kafka) {
        assertPublishedInOrder(kafka);
        assertThat(Topics.eventIds(kafka, topic)).doesNotHaveDuplicates();
    }

    private Map<String, List<String>> rows() {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        service.jdbc()
                .query(
                        "SELECT key, convert_from(payload_bytes, 'UTF8') FROM outbox_message WHERE topic = ? ORDER BY id",
                        row -> {
                            rows.computeIfAbsent(row.getString(1), key -> new ArrayList<>())
                                    .add(number(row.getString(2)));
                        },
                        topic);
        return rows;
    }

    private void assertCommitted(Map<String, List<String>> rows) {
        committed.forEach((key, values) -> {
            List<String> known = new ArrayList<>(rows.getOrDefault(key, List.of()));
            known.removeIf(value -> unknown.contains(value) && !values.contains(value));
            assertThat(known).as("rows of " + key).containsExactlyElementsOf(values);
        });
        Set<String> others = new HashSet<>(rows.keySet());
        others.removeAll(committed.keySet());
        others.forEach(key -> assertThat(unknown).containsAll(rows.get(key)));
    }

    private static String value(ConsumerRecord<byte[], byte[]> record) {
        return number(String.valueOf(Topics.value(record)));
    }

    private static String number(String payload) {
        return payload.substring(0, payload.indexOf(' '));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    @SuppressWarnings("serial")
    private static final class RolledBack extends RuntimeException {}
}
