package dev.outbox;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** A message exists if and only if its transaction committed. */
class AtomicityIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int TRANSACTIONS = 1_000;
    private static final int THREADS = 8;

    private final Kafka kafka = TestServers.kafka();
    private final String topic = Topics.create(kafka, "atomicity", 4, Map.of());
    private final Map<UUID, String> committed = new ConcurrentHashMap<>();

    @Test
    void whatCommittedIsPublishedAndNothingElse() throws Exception {
        try (TestService service = TestService.onSharedServers().start()) {
            service.jdbc().execute("CREATE TABLE business (message_id uuid PRIMARY KEY)");
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < TRANSACTIONS; i++) {
                    int number = i;
                    all.add(threads.submit(() -> new RandomTransaction(service, number).run()));
                }
                for (Future<?> one : all) {
                    one.get();
                }
            } finally {
                threads.shutdownNow();
            }

            await().atMost(BOUND).until(() -> service.pending() == 0);
            assertThat(committed).hasSizeGreaterThan(TRANSACTIONS);
            assertThat(service.jdbc().queryForList("SELECT message_id FROM business", UUID.class))
                    .containsExactlyInAnyOrderElementsOf(committed.keySet());
            assertThat(service.jdbc().queryForList("SELECT message_id FROM outbox_message", UUID.class))
                    .containsExactlyInAnyOrderElementsOf(committed.keySet());
            assertThat(published()).isEqualTo(committed);
        }
    }

    private Map<UUID, String> published() {
        Map<UUID, String> published = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : Topics.read(kafka, topic)) {
            published.put(UUID.fromString(Topics.header(record, OutboxHeaders.EVENT_ID)), Topics.value(record));
        }
        return published;
    }

    /** Writes some messages in some ways, some of them in savepoints, some of those rolled back. */
    private final class RandomTransaction {

        private final TestService service;
        private final int number;
        private final Random random;
        private final TransactionTemplate outer;
        private final TransactionTemplate nested;
        private int messages;

        RandomTransaction(TestService service, int number) {
            this.service = service;
            this.number = number;
            this.random = new Random(number);
            this.outer = new TransactionTemplate(service.bean(PlatformTransactionManager.class));
            this.nested = new TransactionTemplate(service.bean(PlatformTransactionManager.class));
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        }

        void run() {
            boolean rollsBack = number % 3 == 0;
            Map<UUID, String> written = new HashMap<>();
            try {
                outer.executeWithoutResult(status -> {
                    writeSome(written, 1);
                    if (rollsBack) {
                        rollBack(status);
                    }
                });
            } catch (ChangeOfMind e) {
                assertThat(rollsBack).isTrue();
            }
            if (!rollsBack) {
                committed.putAll(written);
            }
        }

        private void writeSome(Map<UUID, String> written, int depth) {
            int steps = 1 + random.nextInt(3);
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(depth < 3 ? 3 : 2)) {
                    case 0 -> write(written);
                    case 1 -> writeAll(written);
                    default -> writeInSavepoint(written, depth);
                }
            }
        }

        private void writeInSavepoint(Map<UUID, String> written, int depth) {
            boolean rollsBack = random.nextBoolean();
            Map<UUID, String> inner = new HashMap<>();
            try {
                nested.executeWithoutResult(status -> {
                    writeSome(inner, depth + 1);
                    if (rollsBack) {
                        rollBack(status);
                    }
                });
            } catch (ChangeOfMind e) {
                assertThat(rollsBack).isTrue();
            }
            if (!rollsBack) {
                written.putAll(inner);
            }
        }

        private void rollBack(TransactionStatus status) {
            if (random.nextBoolean()) {
                throw new ChangeOfMind();
            }
            status.setRollbackOnly();
        }

        private void write(Map<UUID, String> written) {
            String value = nextValue();
            remember(written, service.writer().write(message(value)), value);
        }

        private void writeAll(Map<UUID, String> written) {
            List<String> values = new ArrayList<>();
            int size = random.nextInt(6);
            for (int i = 0; i < size; i++) {
                values.add(nextValue());
            }
            List<UUID> ids =
                    service.writer().writeAll(values.stream().map(this::message).toList());
            for (int i = 0; i < size; i++) {
                remember(written, ids.get(i), values.get(i));
            }
        }

        private OutboxMessage message(String value) {
            OutboxMessage message = to(topic).key(random.nextInt(100)).payload(value);
            // Ids of the caller's own take another way into the table.
            return random.nextInt(4) == 0 ? message.id(UUID.randomUUID()) : message;
        }

        private String nextValue() {
            messages++;
            return number + ":" + messages;
        }

        private void remember(Map<UUID, String> written, UUID id, String value) {
            service.jdbc().update("INSERT INTO business (message_id) VALUES (?)", id);
            written.put(id, value);
        }
    }

    private static final class ChangeOfMind extends RuntimeException {}
}
