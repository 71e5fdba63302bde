package dev.outbox.faults;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxMessage;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A message that cannot be published hurts its own key, and nobody else. */
class BadMessageIntegrationTests {

    private static final int MEGABYTE = 1024 * 1024;

    private final OwnKafka kafka = FaultBroker.healthy();
    private final Stage stage = Stage.on(kafka);

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void goodMessagesInOneProducerBatchWithARefusedOneArriveAllAndInOrder() {
        String topic = Topics.create(kafka, "compacted", 1, Map.of("cleanup.policy", "compact"));
        // Several producer batches: the refused message takes those before it in its own along, and the next one is
        // full of messages that come later.
        List<OutboxMessage> messages = numbered(topic, "good", 1, 20, 50_000);
        messages.add(6, to(topic).unordered().payload("bad"));
        stage.writer().write(messages.toArray(OutboxMessage[]::new));

        try (TestService relay = stage.relay("relay").start()) {
            stage.awaitPending(1);
            assertNumbered(topic, "good", 20);
            assertWaits(stage.rows(topic).get(6));

            // While it waits, and is tried again, its neighbours go on.
            for (int next = 21; next <= 25; next++) {
                stage.writer().write(numbered(topic, "good", next, next, 10).toArray(OutboxMessage[]::new));
                stage.awaitPending(1);
            }
            assertNumbered(topic, "good", 25);
            assertWaits(stage.rows(topic).get(6));
        }
        assertThat(attempts(topic, "good")).containsOnly(0);
    }

    @Test
    void aRefusedBatchStopsWhatComesLaterAlsoWhenALargeMessageHasStoppedTheLoopBefore() {
        String topic = Topics.create(kafka, "compacted", 1, Map.of("cleanup.policy", "compact"));
        try (TestService relay = stage.relay("relay").start()) {
            stage.writer().write(to(topic).key("warm-up").payload("1 the producer knows the topic now"));
            stage.awaitDrained();
            List<OutboxMessage> messages = numbered(topic, "good", 1, 20, 50_000);
            messages.add(2, to(topic).unordered().payload("bad"));
            messages.add(to(topic).key("large").payload(new byte[2 * MEGABYTE]));

            kafka.freeze();
            stage.writer().write(messages.toArray(OutboxMessage[]::new));
            stage.awaitMidBatch("relay");
            kafka.thaw();

            stage.awaitPending(2);
            assertNumbered(topic, "good", 20);
        }
    }

    @Test
    void theKeyOfAMessageThatIsTooLargeForTheProducerWaitsAndEverythingElseGoesOn() {
        tooLarge(Topics.create(kafka, "large"), 2 * MEGABYTE, "none");
    }

    @Test
    void theKeyOfAMessageThatIsTooLargeForTheProducerAlsoCompressedWaitsAndEverythingElseGoesOn() {
        tooLarge(Topics.create(kafka, "large"), 2 * MEGABYTE, "gzip");
    }

    @Test
    void theKeyOfAMessageThatIsTooLargeForItsTopicAlsoCompressedWaitsAndEverythingElseGoesOn() {
        tooLarge(Topics.create(kafka, "small", 1, Map.of("max.message.bytes", "20000")), 100_000, "gzip");
    }

    @Test
    void theKeyOfAMessageThatIsTooLargeForItsTopicWaitsAndEverythingElseGoesOn() {
        tooLarge(Topics.create(kafka, "small", 1, Map.of("max.message.bytes", "20000")), 100_000, "none");
    }

    private void tooLarge(String topic, int size, String compression) {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 1; i <= 50; i++) {
            messages.addAll(numbered(topic, "first-" + i, 1, 2, 500));
        }
        messages.add(to(topic).key("large").payload("large:1 "));
        messages.add(to(topic).key("large").payload(BadMessage.payload(2, size)));
        messages.add(to(topic).key("large").payload("large:3 "));
        for (int i = 1; i <= 50; i++) {
            messages.addAll(numbered(topic, "second-" + i, 1, 2, 500));
        }
        stage.writer().write(messages.toArray(OutboxMessage[]::new));

        try (TestService relay = stage.relay("relay")
                .with("outbox.relay.publish-timeout", "3s")
                .with("spring.kafka.producer.compression-type", compression)
                .start()) {
            stage.awaitPending(2);
            Map<String, Object> large = stage.rows(topic).get(101);
            assertWaits(large);
            assertThat(large.get("last_error").toString()).startsWith("RecordTooLarge");

            stage.writer().write(to(topic).key("large").payload("large:4 "));
            stage.writer().write(numbered(topic, "first-1", 3, 3, 500).toArray(OutboxMessage[]::new));
            stage.awaitPending(3);
            await("another attempt")
                    .atMost(Stage.BOUND)
                    .until(() -> (int) stage.rows(topic).get(101).get("attempts") >= 2);
            stage.awaitPending(3);
        }
        Map<String, List<String>> published = published(topic);
        assertThat(published).hasSize(101).containsEntry("large", List.of("large:1"));
        assertThat(published.get("first-1")).containsExactly("first-1:1", "first-1:2", "first-1:3");
        for (int i = 2; i <= 50; i++) {
            assertThat(published.get("first-" + i)).containsExactly("first-" + i + ":1", "first-" + i + ":2");
        }
        for (int i = 1; i <= 50; i++) {
            assertThat(published.get("second-" + i)).containsExactly("second-" + i + ":1", "second-" + i + ":2");
        }
        assertThat(stage.rows(topic))
                .filteredOn(row -> (int) row.get("attempts") > 0)
                .hasSize(1);
    }

    @Test
    void aRowThatNoWriterOfTheOutboxWouldLeaveWaitsAndEverythingElseGoesOn() {
        String topic = Topics.create(kafka, "foreign");
        for (String headers :
                List.of("[1]", "[[]]", "[[\"a\"]]", "{\"a\": {\"b\": 1}}", "[[\"a\", \"no base64!\", \"b\"]]")) {
            insert(topic, "bad " + headers, headers);
        }
        insert(topic, "good", "{}");

        try (TestService relay = stage.relay("relay").start()) {
            stage.awaitPending(5);
            insert(topic, "good", "{\"a\": null}");
            stage.awaitPending(5);
            assertThat(Topics.read(kafka, topic)).hasSize(2);
            assertThat(stage.rows(topic).subList(0, 5)).allSatisfy(BadMessageIntegrationTests::assertWaits);
        }
    }

    private void insert(String topic, String key, String headers) {
        stage.writer()
                .jdbc()
                .update(
                        "INSERT INTO outbox_message (topic, key, payload, headers) VALUES (?, ?, '1', ?::jsonb)",
                        topic,
                        key,
                        headers);
    }

    @Test
    void manyBadMessagesLeaveRoomForTheGoodOnes() {
        String compacted = Topics.create(kafka, "compacted", 1, Map.of("cleanup.policy", "compact"));
        String topic = Topics.create(kafka, "healthy");
        stage.writer()
                .write(IntStream.range(0, 300)
                        .mapToObj(i -> to(compacted).unordered().payload("bad"))
                        .toArray(OutboxMessage[]::new));
        stage.writer().write(numbered(topic, "good", 1, 100, 10).toArray(OutboxMessage[]::new));

        try (TestService relay = stage.relay("relay").start()) {
            stage.awaitPending(300);
            stage.writer().write(numbered(topic, "good", 101, 200, 10).toArray(OutboxMessage[]::new));
            stage.awaitPending(300);
        }
        assertNumbered(topic, "good", 200);
    }

    private static List<OutboxMessage> numbered(String topic, String key, int first, int last, int size) {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int number = first; number <= last; number++) {
            messages.add(to(topic).key(key).payload(key + ":" + number + " " + "x".repeat(size)));
        }
        return messages;
    }

    private void assertNumbered(String topic, String key, int last) {
        assertThat(published(topic).get(key))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, last)
                        .mapToObj(number -> key + ":" + number)
                        .toList());
    }

    private Map<String, List<String>> published(String topic) {
        return Topics.firstOccurrences(Topics.read(kafka, topic), record -> number(Topics.value(record)));
    }

    private static String number(String payload) {
        return payload.substring(0, payload.indexOf(' '));
    }

    private List<Integer> attempts(String topic, String key) {
        return stage.rows(topic).stream()
                .filter(row -> key.equals(row.get("key")))
                .map(row -> (Integer) row.get("attempts"))
                .toList();
    }

    private static void assertWaits(Map<String, Object> row) {
        assertThat(row.get("published_at")).isNull();
        assertThat((int) row.get("attempts")).isPositive();
        assertThat(row.get("next_attempt_at")).isNotNull();
        assertThat(row.get("last_error")).asString().isNotBlank();
    }
}
