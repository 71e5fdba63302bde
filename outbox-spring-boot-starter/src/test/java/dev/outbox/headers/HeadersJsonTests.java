package dev.outbox.headers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.OutboxMessage.Header;
import dev.outbox.headers.HeadersJson.StoredHeader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What PostgreSQL does to the column in between is seen where messages are published. */
class HeadersJsonTests {

    @Test
    void whatIsWrittenIsRead() {
        StringBuilder everything = new StringBuilder();
        for (char c = 1; c < 0x250; c++) {
            everything.append(c);
        }
        everything.append("\u2028\uD83D\uDE80\uFFFF");
        List<Header> headers = List.of(
                new Header(everything.toString(), everything.toString()),
                new Header("same", "1"),
                new Header("same", ""),
                new Header("same", new byte[0]),
                new Header("bytes", new byte[] {0, -1, 127, -128, 10}),
                new Header("text", "]}[\",\"{"));

        String json = HeadersJson.write(headers);

        assertThat(HeadersJson.read(json).stream().map(HeadersJsonTests::text))
                .containsExactly(
                        everything + "=" + hex(everything.toString()),
                        "same=31",
                        "same=",
                        "same=",
                        "bytes=00ff7f800a",
                        "text=" + hex("]}[\",\"{"));
    }

    @Test
    void noHeadersAreTheColumnsDefault() {
        assertThat(HeadersJson.write(List.of())).isNull();
        assertThat(HeadersJson.read("{}")).isEmpty();
        assertThat(HeadersJson.read("[]")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": \"b\"}                         | a=62",
                "{\"a\": 1.50}                          | a=312e3530",
                "{\"a\": true}                          | a=74727565",
                "{\"a\": null}                          | a=null",
                "{\"a\": \"null\"}                      | a=6e756c6c",
                "{\"\": \"\"}                           | =",
                "{\"\\\"\\\\\\/\\u00fc\": \"\\b\\f\\n\\r\\t\"} | \"\\/ü=080c0a0d09",
                "[[\"a\", \"b\"]]                       | a=62",
                " [ [ \"a\" , -1e5 ] ]                  | a=2d316535",
                "[[\"a\", null]]                        | a=null",
                "[[\"a\", \"\", \"base64\"]]            | a=",
                "[[\"a\", \"gA==\", \"base64\"]]        | a=80"
            })
    void whatSqlWritersMayWrite(String json, String header) {
        assertThat(HeadersJson.read(json)).map(HeadersJsonTests::text).containsExactly(header);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1]",
                "[null]",
                "[[]]",
                "[{\"a\": \"b\"}]",
                "[[\"a\"]]",
                "[[1, \"b\"]]",
                "[[null, \"b\"]]",
                "[[\"a\", [\"b\"]]]",
                "[[\"a\", {}]]",
                "[[\"a\", \"b\", \"hex\"]]",
                "[[\"a\", \"b\", null]]",
                "[[\"a\", \"b\", \"base64\", 1]]",
                "[[\"a\", null, \"base64\"]]",
                "[[\"a\", \"%%%\", \"base64\"]]",
                "{\"a\": []}",
                "{\"a\": {\"b\": \"c\"}}"
            })
    void anythingElseIsRefusedWithoutTellingValues(String json) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HeadersJson.read(json))
                .withMessageNotContaining("%%%");
    }

    private static String text(StoredHeader header) {
        return header.name() + "="
                + (header.value() == null ? null : HexFormat.of().formatHex(header.value()));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }
}
