package dev.outbox.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSyntaxTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"\"",
                "0",
                "-0",
                "-0.0e-0",
                "1E+10",
                "1e-3000",
                "123456789012345678901234567890.5",
                "true",
                "false",
                "null",
                " \t\r\n{ \"a\" : [ 1 , { } , [ ] , null ] , \"a\" : \"\" } \n",
                "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uABcd\\ud800\"",
                "\"ü 漢 \uD83D\uDE80 \u007f \u2028\"",
                "{\"\":0}"
            })
    void isJson(String text) {
        assertThat(JsonSyntax.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[",
                "]",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[1}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "{\"a\":1 \"b\":2}",
                "{} {}",
                "1 2",
                "\"",
                "\"a",
                "a\"",
                "\"\\",
                "\"\\\"",
                "\"\\x\"",
                "\"\\u\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\\u١٢٣٤\"",
                "\"\\u０0００\"",
                "\"line\nbreak\"",
                "\"tab\t\"",
                "\"\u0001\"",
                "\"\0\"",
                "{}\0",
                "\0{}",
                "+1",
                ".5",
                "1.",
                "1.e5",
                "01",
                "-",
                "-01",
                "1e",
                "1e+",
                "0x10",
                "١",
                "NaN",
                "Infinity",
                "tru",
                "truee",
                "TRUE",
                "nul",
                "undefined",
                "// comment\n1",
                "\uFEFF{}",
                "\u00a0{}",
                "\f{}"
            })
    void isNone(String text) {
        assertThat(JsonSyntax.isValid(text)).isFalse();
    }

    @Test
    void nestingHasABound() {
        assertThat(JsonSyntax.isValid(nested(1_000))).isTrue();
        assertThat(JsonSyntax.isValid(nested(100_000))).isFalse();
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }
}
