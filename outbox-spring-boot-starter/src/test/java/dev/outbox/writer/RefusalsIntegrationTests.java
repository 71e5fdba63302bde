package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.InvalidOutboxMessageException;
import dev.outbox.OutboxHeaders;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A message that could not be stored or published is refused with advice, without a row, and without harm to the
 * caller's transaction. */
class RefusalsIntegrationTests {

    private static final int MAX = 1_000;

    private static TestService service;
    private static OutboxWriter writer;

    @BeforeAll
    static void start() {
        service = TestService.onSharedServers()
                .withoutRelay()
                .with("outbox.writer.max-message-size", MAX + "B")
                .start();
        writer = service.writer();
        service.jdbc().execute("CREATE TABLE business (done text)");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        service.jdbc().execute("TRUNCATE outbox_message, business");
    }

    static final List<Arguments> messages = List.of(
            Arguments.of("blank topic", to(" \t"), "OutboxMessage.to(...)"),
            Arguments.of("empty topic", to(""), "OutboxMessage.to(...)"),
            Arguments.of("long topic", to("t".repeat(250)), "249"),
            Arguments.of("a name that no topic can have", to("stock events!"), "can be no Kafka topic"),
            Arguments.of("a topic of dots", to(".."), "can be no Kafka topic"),
            Arguments.of("NUL in the topic", to("t\0"), "topic contains a NUL"),
            Arguments.of("NUL in the key", to("t").key("k\0"), "key contains a NUL"),
            Arguments.of(
                    "NUL in the aggregate's id",
                    to("t").aggregate("order", "\0").key("k"),
                    "aggregate id contains"),
            Arguments.of("NUL in the aggregate's type", to("t").aggregate("\0", 1), "aggregate type contains"),
            Arguments.of("NUL in the type", to("t").type("a\0b"), "type contains a NUL"),
            Arguments.of("NUL in the content type", to("t").contentType("\0"), "contentType contains a NUL"),
            Arguments.of("NUL in a header's name", to("t").header("a\0", "v"), "header name contains a NUL"),
            Arguments.of("NUL in a header's value", to("t").header("a", "\0"), "header 'a' contains a NUL"),
            Arguments.of("half a pair in the topic", to("t\uD83D"), "surrogate"),
            Arguments.of("half a pair in the key", to("t").key("\uDE80\uD83D"), "surrogate"),
            Arguments.of("half a pair in the payload", to("t").payload("\uD83D"), "Send it as bytes"),
            Arguments.of("half a pair in the JSON", to("t").json("\"\uD83D\""), "surrogate"),
            Arguments.of("half a pair in a header's name", to("t").header("\uDE80", "v"), "surrogate"),
            Arguments.of("half a pair in a header's value", to("t").header("a", "x\uD83Dy"), "surrogate"),
            Arguments.of("empty header name", to("t").header("", "v"), "empty name"),
            Arguments.of("no JSON", to("t").json("{secret}"), "payload(...)"),
            Arguments.of("empty JSON", to("t").json(""), "payload(...)"),
            Arguments.of("large bytes", to("t").payload(new byte[MAX + 1]), "outbox.writer.max-message-size"),
            Arguments.of("large text", to("t").payload("ü".repeat(MAX / 2) + "x"), "payload 1001, key 0, headers 0"),
            Arguments.of("large JSON", to("t").json("\"" + "\uD83D\uDE80".repeat(250) + "\""), "has 1002 bytes"),
            Arguments.of("large object", to("t").payload(List.of("漢".repeat(333))), "has 1003 bytes"),
            Arguments.of("large key", to("t").key("k".repeat(MAX + 1)), "payload 0, key 1001, headers 0"),
            Arguments.of("large type", to("t").type("ü".repeat(501)), "headers 1002"),
            Arguments.of(
                    "large aggregate",
                    to("t").aggregate("a".repeat(500), "b".repeat(501)).unordered(),
                    "headers 1001"),
            Arguments.of("large content type", to("t").contentType("c".repeat(MAX + 1)), "headers 1001"),
            Arguments.of("large header", to("t").header("a", "ü".repeat(500)), "headers 1011"),
            Arguments.of("large binary header", to("t").header("ü", new byte[MAX]), "headers 1012"),
            Arguments.of("many headers", headers(to("t"), 91), "has 1001 bytes"),
            Arguments.of(
                    "large in all",
                    to("t").key("k".repeat(300)).payload(new byte[400]).header("h", new byte[290]),
                    "has 1001 bytes (payload 400, key 300, headers 301)"),
            Arguments.of("unserializable object", to("t").payload(new Self()), Self.class.getName()));

    @ParameterizedTest(name = "{0}")
    @FieldSource("messages")
    void aMessageThatCouldNotBeStoredOrPublished(String name, OutboxMessage message, String advice) {
        refused(message, advice);
    }

    static Stream<String> reservedNames() {
        return OutboxHeaders.RESERVED.stream();
    }

    @ParameterizedTest
    @MethodSource("reservedNames")
    void aHeaderOfTheOutboxItself(String name) {
        refused(to("t").header(name, "v"), name);
        refused(to("t").header(name, new byte[0]), name);
    }

    @Test
    void whatIsJustWithinTheBoundsIsWritten() {
        service.write(
                to("t".repeat(249)),
                to("t").payload(new byte[MAX]),
                to("t").payload("ü".repeat(MAX / 2)),
                to("t").key("k".repeat(300)).payload(new byte[400]).header("h", new byte[289]),
                headers(to("t"), 90),
                to("t").json("\"" + "\uD83D\uDE80".repeat(249) + "..\""),
                to("t").payload(List.of("漢".repeat(332))),
                to("t").header("Event_id", "v").header(" ", "v"));

        assertThat(service.jdbc()
                        .queryForList(
                                "SELECT COALESCE(octet_length(payload::text), octet_length(payload_bytes), 0)"
                                        + " FROM outbox_message ORDER BY id",
                                Integer.class))
                .containsExactly(0, MAX, MAX, 400, 0, MAX, MAX, 0);
    }

    private static OutboxMessage headers(OutboxMessage message, int count) {
        for (int i = 0; i < count; i++) {
            message.header("h", "");
        }
        return message;
    }

    private static void refused(OutboxMessage message, String advice) {
        service.inTransaction(() -> {
            assertThatExceptionOfType(InvalidOutboxMessageException.class)
                    .isThrownBy(() -> writer.write(message))
                    .withMessageContaining(advice)
                    .withMessageNotContaining("secret");
            assertThatExceptionOfType(InvalidOutboxMessageException.class)
                    .isThrownBy(() -> writer.writeAll(List.of(to("t"), message, to("t"))))
                    .withMessageContaining(advice);
            service.jdbc().update("INSERT INTO business VALUES ('done')");
            return writer.write(to("t").type("afterwards"));
        });
        assertThat(service.jdbc().queryForList("SELECT event_type FROM outbox_message"))
                .containsOnly(Map.of("event_type", "afterwards"))
                .hasSameSizeAs(service.jdbc().queryForList("SELECT done FROM business"));
    }

    /** Refers to itself, which no JSON can. */
    static final class Self {

        public Self getSelf() {
            return this;
        }
    }
}
