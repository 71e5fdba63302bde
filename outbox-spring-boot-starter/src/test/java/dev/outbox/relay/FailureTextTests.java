package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureTextTests {

    private static final String SECRET = "hunter2-swordfish";

    @Test
    void itNamesTheFailureAndWhatItSays() {
        assertThat(text("the message is 2097239 bytes when serialized"))
                .isEqualTo("IllegalArgumentException: the message is 2097239 bytes when serialized");
        assertThat(text(null)).isEqualTo("IllegalArgumentException");
        assertThat(FailureText.of(new Exception("anonymous") {})).contains("FailureTextTests", "anonymous");
    }

    @Test
    void whatADatabaseMayNotStoreIsLeftOutOrWrittenInAscii() {
        assertThat(text("a\0b\u0007\0")).isEqualTo("IllegalArgumentException: ab");
        assertThat(text("one\ntwo\tthree")).isEqualTo("IllegalArgumentException: one two three");
        assertThat(text("caf\u00e9 \uD83D\uDE00 lone \uD83D"))
                .isEqualTo("IllegalArgumentException: caf\\u00e9 \\ud83d\\ude00 lone \\ud83d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\u00e9", "\uD83D\uDE00", "\0"})
    void howeverLongTheTextIsItIsCut(String character) {
        assertThat(text(character.repeat(5_000_000))).hasSizeLessThanOrEqualTo(1_000);
    }

    @Test
    void aFailureThatCannotEvenSayWhatItIsHasAName() {
        assertThat(FailureText.of(new Speechless())).isEqualTo("Speechless");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Invalid value org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\""
                        + " password=\"" + SECRET + "\"; for configuration sasl.jaas.config: Password must be ...",
                "sasl.jaas.config=a;b;'" + SECRET,
                "{ssl.keystore.password=" + SECRET + ", acks=all}",
                "ssl.key.password: \"" + SECRET + "\"",
                "{\"password\":\"" + SECRET + "\"}",
                "client_secret = '" + SECRET + " and more'",
                "basic.auth.user.info=x token=" + SECRET,
                "Authorization: Bearer " + SECRET,
                "cannot connect to https://user:" + SECRET + "@registry:8081/subjects",
                "-----BEGIN PRIVATE KEY-----\n" + SECRET + "\n-----END PRIVATE KEY-----",
                "aws_secret_access_key=" + SECRET,
                "api-key: " + SECRET
            })
    void credentialsAreLeftOut(String text) {
        assertThat(text(text)).startsWith("IllegalArgumentException").doesNotContain("hunter2", "swordfish");
    }

    @Test
    void payloadsAreLeftOutHoweverMuchOfThemIsQuoted() {
        String payload = "{\"customer\":\"Alice Liddell\",\"card\":\"4111111111111111\",\"note\":\"caf\u00e9\"}";
        PendingMessage message = message(payload, null);

        assertThat(text("ProducerRecord(topic=orders, value=" + payload + ", timestamp=null) is no record", message))
                .isEqualTo(
                        "IllegalArgumentException: ProducerRecord(topic=orders, value=***, timestamp=null) is no record");
        assertThat(text("value begins with " + payload.substring(0, 25), message))
                .doesNotContain("Alice");
        assertThat(text("near " + payload.substring(40, 56), message)).doesNotContain("1111111");
    }

    @Test
    void aSecretInALargePayloadIsLeftOutToo() {
        PendingMessage message = message("x".repeat(500_000) + SECRET + "y".repeat(5_000_000), null);

        assertThat(text("cannot send " + SECRET, message)).doesNotContain("hunter2", "swordfish");
    }

    @Test
    void valuesOfHeadersAreLeftOut() {
        PendingMessage message = message("{}", "[[\"authorization\", \"" + SECRET + "\"]]");

        assertThat(text("odd header " + SECRET, message)).startsWith("IllegalArgumentException: odd header ***");
    }

    @Test
    void whatADatabaseSaysOfARowIsLeftOut() {
        assertThat(FailureText.of(new SQLException(
                        "null value in column \"topic\"\n  Detail: Failing row contains (1, " + SECRET + ").")))
                .isEqualTo("SQLException: null value in column \"topic\"");
    }

    private static String text(String message) {
        return FailureText.of(new IllegalArgumentException(message));
    }

    private static String text(String text, PendingMessage message) {
        return FailureText.of(new IllegalArgumentException(text), message);
    }

    private static PendingMessage message(String payload, String headers) {
        return Messages.message(1, "orders", payload.getBytes(StandardCharsets.UTF_8), headers);
    }

    private static final class Speechless extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException();
        }
    }
}
