package dev.outbox.relay;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxHeaders;
import dev.outbox.OutboxMessage;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From a transaction, or an SQL statement, to a topic: what arrives there is byte for byte what was given. */
class PublishIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private static final String AWKWARD_JSON = "{\"b\":1,  \"a\":1.10,\"e\":1e-3000,\"a\":2}";

    private static TestService service;

    private final Kafka kafka = TestServers.kafka();
    private final String topic = Topics.create(kafka, "publish");

    @BeforeAll
    static void start() {
        service = TestService.onSharedServers()
                .with("spring.jackson.property-naming-strategy", "SNAKE_CASE")
                .with("spring.datasource.hikari.connection-init-sql", "SET TIME ZONE 'Asia/Kathmandu'")
                .with("outbox.relay.retry.initial-delay", "20ms")
                .with("outbox.relay.retry.max-delay", "100ms")
                .with("outbox.relay.retry.max-attempts", 1_000_000)
                .start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @EnumSource
    void payloadsArriveAsTheyWereGiven(Way way) {
        List<Expected> all = List.of(
                new Expected(m -> m.json(AWKWARD_JSON), AWKWARD_JSON, "application/json"),
                new Expected(
                        m -> m.json(" [\"\\u0000\", \"\\ud800\"]\n"),
                        " [\"\\u0000\", \"\\ud800\"]\n",
                        "application/json"),
                new Expected(
                        m -> m.json("\"Größe 漢字 \uD83D\uDE80 \u007f\u2028\""),
                        "\"Größe 漢字 \uD83D\uDE80 \u007f\u2028\"",
                        "application/json"),
                new Expected(m -> m.json("null"), "null", "application/json"),
                new Expected(
                        m -> m.payload(new Placed(7, "x")), "{\"order_id\":7,\"for_whom\":\"x\"}", "application/json"),
                new Expected(m -> m.payload(List.of()), "[]", "application/json"),
                new Expected(
                        m -> m.payload("İstanbul \uD83D\uDE80 \0 {'\"\\,\n"),
                        "İstanbul \uD83D\uDE80 \0 {'\"\\,\n",
                        "text/plain;charset=UTF-8"),
                new Expected(m -> m.payload(""), "", "text/plain;charset=UTF-8"),
                new Expected(m -> m.payload("null"), "null", "text/plain;charset=UTF-8"),
                new Expected(m -> m.payload(everyByte()), everyByte(), "application/octet-stream"),
                new Expected(m -> m.payload(new byte[0]), new byte[0], "application/octet-stream"),
                new Expected(m -> m.payload(new byte[] {0}), new byte[] {0}, "application/octet-stream"),
                new Expected(m -> m.payload(everyByte()).contentType("avro/binary"), everyByte(), "avro/binary"),
                new Expected(
                        m -> m.json("{}").contentType("application/cloudevents+json"),
                        "{}",
                        "application/cloudevents+json"),
                new Expected(m -> m.payload(null), (byte[]) null, null),
                new Expected(m -> m, (byte[]) null, null),
                new Expected(m -> m.payload(null).contentType("application/json"), (byte[]) null, null));

        way.write(all.stream().map(one -> one.payload.apply(to(topic).key("k"))).toList());

        List<ConsumerRecord<byte[], byte[]>> records = published(all.size());
        SoftAssertions soft = new SoftAssertions();
        for (int i = 0; i < all.size(); i++) {
            soft.assertThat(records.get(i).value()).as("value %s", i).isEqualTo(all.get(i).value);
            soft.assertThat(header(records.get(i), OutboxHeaders.CONTENT_TYPE))
                    .as("content type %s", i)
                    .isEqualTo(all.get(i).contentType);
        }
        soft.assertAll();
    }

    @ParameterizedTest
    @EnumSource
    void keysArriveAsTheyWereGiven(Way way) {
        List<String> keys = List.of(
                "",
                " ",
                "a:\"b\",'c'\\{}",
                "line\nbreak\ttab",
                "null",
                "NULL",
                "ключ 漢字 \uD83D\uDE80",
                "x".repeat(5000));
        List<OutboxMessage> messages = new ArrayList<>();
        keys.forEach(key -> messages.add(to(topic).key(key).payload(key)));
        messages.add(to(topic).payload("none"));
        messages.add(to(topic).aggregate("order", 1).unordered().payload("unordered"));
        messages.add(to(topic).aggregate("order", 17).payload("aggregate"));
        UUID id = UUID.randomUUID();
        messages.add(to(topic).aggregate("order", 17).key(id).payload("key"));

        way.write(messages);

        Map<String, String> keyByPayload = new HashMap<>();
        published(messages.size()).forEach(record -> keyByPayload.put(text(record.value()), text(record.key())));
        keys.forEach(key -> assertThat(keyByPayload).containsEntry(key, key));
        assertThat(keyByPayload)
                .containsEntry("none", null)
                .containsEntry("unordered", null)
                .containsEntry("aggregate", "17")
                .containsEntry("key", id.toString());
    }

    @ParameterizedTest
    @EnumSource
    void headersArriveAsTheyWereGivenAndInTheirOrder(Way way) {
        way.write(List.of(
                to(topic)
                        .json("{}")
                        .header("z", "first")
                        .header("empty", "")
                        .header("same", "1")
                        .header("same", "2")
                        .header("binary", everyByte())
                        .header("same", new byte[0])
                        .header("Grüße \uD83D\uDE80", "\"quoted\"\\ \u0001\n\u007f\u2028 漢字 \uD83D\uDE80")
                        .header("base64", "base64")
                        .header("a", "last"),
                to(topic).json("{}")));

        List<ConsumerRecord<byte[], byte[]>> records = published(2);
        assertThat(callersHeaders(records.get(0)))
                .containsExactly(
                        "z=" + hex("first"),
                        "empty=",
                        "same=" + hex("1"),
                        "same=" + hex("2"),
                        "binary=" + hex(everyByte()),
                        "same=",
                        "Grüße \uD83D\uDE80=" + hex("\"quoted\"\\ \u0001\n\u007f\u2028 漢字 \uD83D\uDE80"),
                        "base64=" + hex("base64"),
                        "a=" + hex("last"));
        assertThat(callersHeaders(records.get(1))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void standardHeadersTellWhatTheRowKnows(Way way) {
        List<UUID> ids = way.write(List.of(
                to(topic)
                        .aggregate("Größe", "ключ")
                        .type("OrderCreated")
                        .json("{}")
                        .header("mine", "1"),
                to(topic).payload(null)));

        List<ConsumerRecord<byte[], byte[]>> records = published(2);
        Map<String, Object> row = service.jdbc()
                .queryForMap("SELECT id, created_at FROM outbox_message WHERE message_id = ?", ids.get(0));
        ConsumerRecord<byte[], byte[]> record = records.get(0);
        assertThat(names(record))
                .containsExactly(
                        "event_id",
                        "event_type",
                        "aggregate_type",
                        "aggregate_id",
                        "event_time",
                        "outbox_sequence",
                        "content_type",
                        "mine");
        assertThat(header(record, "event_id")).isEqualTo(ids.get(0).toString());
        assertThat(header(record, "event_type")).isEqualTo("OrderCreated");
        assertThat(header(record, "aggregate_type")).isEqualTo("Größe");
        assertThat(header(record, "aggregate_id")).isEqualTo("ключ");
        assertThat(header(record, "outbox_sequence")).isEqualTo(row.get("id").toString());
        Instant createdAt = service.jdbc()
                .queryForObject(
                        "SELECT created_at FROM outbox_message WHERE message_id = ?", OffsetDateTime.class, ids.get(0))
                .toInstant();
        assertThat(header(record, "event_time"))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z")
                .isEqualTo(createdAt.toString());
        assertThat(names(records.get(1))).containsExactly("event_id", "event_time", "outbox_sequence");
    }

    @Test
    void aRowOfAPlainInsertIsPublished() {
        service.jdbc()
                .update(
                        "INSERT INTO outbox_message (topic, key, payload) VALUES (?, ?, ?::json)",
                        topic,
                        "sql",
                        AWKWARD_JSON);
        service.jdbc()
                .update(
                        "INSERT INTO outbox_message (topic, key, payload_bytes) VALUES (?, ?, ?)",
                        topic,
                        "sql",
                        everyByte());
        service.jdbc().update("INSERT INTO outbox_message (topic, key) VALUES (?, ?)", topic, "sql");

        List<ConsumerRecord<byte[], byte[]>> records = published(3);
        assertThat(records).allSatisfy(record -> {
            assertThat(text(record.key())).isEqualTo("sql");
            assertThat(UUID.fromString(header(record, "event_id"))).isNotNull();
        });
        assertThat(text(records.get(0).value())).isEqualTo(AWKWARD_JSON);
        assertThat(header(records.get(0), "content_type")).isEqualTo("application/json");
        assertThat(records.get(1).value()).isEqualTo(everyByte());
        assertThat(header(records.get(1), "content_type")).isEqualTo("application/octet-stream");
        assertThat(records.get(2).value()).isNull();
        assertThat(header(records.get(2), "content_type")).isNull();
    }

    @Test
    void headersOfAPlainInsertMayBeAnObjectOrAnArray() {
        insertWithHeaders("k", "{\"text\": \"ü\", \"number\": 1.10, \"yes\": true, \"none\": null, \"empty\": \"\"}");
        insertWithHeaders(
                "k", "[[\"a\", \"1\"], [\"a\", 2], [\"no\", false], [\"none\", null], [\"b\", \"AP8=\", \"base64\"]]");
        insertWithHeaders("k", "[]");

        List<ConsumerRecord<byte[], byte[]>> records = published(3);
        assertThat(callersHeaders(records.get(0)))
                .containsExactlyInAnyOrder(
                        "text=" + hex("ü"), "number=" + hex("1.10"), "yes=" + hex("true"), "none=null", "empty=");
        assertThat(callersHeaders(records.get(1)))
                .containsExactly("a=" + hex("1"), "a=" + hex("2"), "no=" + hex("false"), "none=null", "b=00ff");
        assertThat(callersHeaders(records.get(2))).isEmpty();
    }

    @Test
    void aRowWithHeadersOfNoKnownFormHoldsBackItsOwnKeyUntilItIsRepaired() {
        List<String> malformed = List.of(
                "[[\"a\", [\"b\"]]]",
                "[[\"a\", {\"b\": 1}]]",
                "[[\"a\"]]",
                "[[]]",
                "[1]",
                "[\"a\"]",
                "[{\"a\": \"b\"}]",
                "[[1, \"a\"]]",
                "[[\"a\", \"b\", \"base32\"]]",
                "[[\"a\", \"b\", 1]]",
                "[[\"a\", \"b\", \"base64\", \"c\"]]",
                "[[\"a\", \"%\", \"base64\"]]",
                "[[\"a\", null, \"base64\"]]",
                "{\"a\": [\"b\"]}",
                "{\"a\": {}}",
                // A name of the outbox's own, which the record would have twice.
                "{\"event_id\": \"a\"}");
        for (int i = 0; i < malformed.size(); i++) {
            insertWithHeaders("bad" + i, malformed.get(i));
            insertWithHeaders("bad" + i, "{}");
        }
        insertWithHeaders("good", "{}");

        published(1);
        await().atMost(BOUND)
                .untilAsserted(
                        () -> assertThat(count("last_error IS NOT NULL AND attempts > 1 AND published_at IS NULL"))
                                .isEqualTo(malformed.size()));
        assertThat(Topics.read(kafka, topic)).hasSize(1);
        insertWithHeaders("good", "{}");
        published(2);
        assertThat(service.jdbc()
                        .queryForList(
                                "SELECT last_error FROM outbox_message WHERE topic = ? AND last_error IS NOT NULL",
                                String.class,
                                topic))
                .noneMatch(error -> error.contains("base32"));

        service.jdbc()
                .update("UPDATE outbox_message SET headers = '{}' WHERE topic = ? AND published_at IS NULL", topic);

        List<ConsumerRecord<byte[], byte[]>> all = published(2 + 2 * malformed.size());
        Map<String, List<String>> sequences =
                Topics.firstOccurrences(all, record -> Topics.header(record, "outbox_sequence"));
        assertThat(sequences.values())
                .allSatisfy(ids -> assertThat(ids.stream().map(Long::valueOf)).isSorted());
        assertThat(count("last_error IS NOT NULL")).isZero();
    }

    private static void insertWithHeaders(String topic, String key, String headers) {
        service.jdbc()
                .update(
                        "INSERT INTO outbox_message (topic, key, payload, headers) VALUES (?, ?, '{}', ?::jsonb)",
                        topic,
                        key,
                        headers);
    }

    private void insertWithHeaders(String key, String headers) {
        insertWithHeaders(topic, key, headers);
    }

    private int count(String condition) {
        return service.jdbc()
                .queryForObject(
                        "SELECT count(*) FROM outbox_message WHERE topic = ? AND " + condition, Integer.class, topic);
    }

    /** The records of the topic, once that many messages are published. */
    private List<ConsumerRecord<byte[], byte[]>> published(int messages) {
        await().atMost(BOUND).until(() -> count("published_at IS NOT NULL") == messages);
        List<ConsumerRecord<byte[], byte[]>> records = Topics.read(kafka, topic);
        assertThat(records).hasSize(messages);
        return records;
    }

    private static byte[] everyByte() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private static @Nullable String header(ConsumerRecord<?, ?> record, String name) {
        List<Header> found = new ArrayList<>();
        record.headers().headers(name).forEach(found::add);
        assertThat(found).hasSizeLessThan(2);
        return found.isEmpty() ? null : text(found.get(0).value());
    }

    private static List<String> names(ConsumerRecord<?, ?> record) {
        return Arrays.stream(record.headers().toArray()).map(Header::key).toList();
    }

    private static List<String> callersHeaders(ConsumerRecord<?, ?> record) {
        return Arrays.stream(record.headers().toArray())
                .filter(header -> !OutboxHeaders.RESERVED.contains(header.key()))
                .map(header -> header.key() + "=" + (header.value() == null ? null : hex(header.value())))
                .toList();
    }

    private static String hex(String text) {
        return hex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** The writer's two ways into the table. */
    enum Way {
        WRITE {
            @Override
            List<UUID> write(List<OutboxMessage> messages) {
                return service.inTransaction(
                        () -> messages.stream().map(service.writer()::write).toList());
            }
        },
        WRITE_ALL {
            @Override
            List<UUID> write(List<OutboxMessage> messages) {
                return service.inTransaction(() -> service.writer().writeAll(messages));
            }
        };

        abstract List<UUID> write(List<OutboxMessage> messages);
    }

    record Placed(int orderId, String forWhom) {}

    private record Expected(
            UnaryOperator<OutboxMessage> payload,
            byte @Nullable [] value,
            @Nullable String contentType) {

        Expected(UnaryOperator<OutboxMessage> payload, String value, @Nullable String contentType) {
            this(payload, value.getBytes(StandardCharsets.UTF_8), contentType);
        }
    }
}
