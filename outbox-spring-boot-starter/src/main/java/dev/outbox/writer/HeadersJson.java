package dev.outbox.writer;

import dev.outbox.OutboxMessage.Header;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The column {@code headers} as the writer fills it: an array of {@code ["name", "text"]} and {@code
 * ["name", "base64", "base64"]}, which keeps order, repeated names and binary values. A writer in SQL
 * may use a plain object instead.
 */
final class HeadersJson {

    /** Third element of a header whose value is binary. */
    private static final String BINARY = "base64";

    private HeadersJson() {}

    /** The column's value, or null to leave its default. */
    static @Nullable String write(List<Header> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        StringBuilder json = new StringBuilder("[");
        for (Header header : headers) {
            json.append(json.length() == 1 ? "[" : ",[");
            string(json, header.name());
            json.append(',');
            if (header.value() instanceof byte[] bytes) {
                string(json, Base64.getEncoder().encodeToString(bytes));
                json.append(",\"").append(BINARY).append('"');
            } else {
                string(json, (String) header.value());
            }
            json.append(']');
        }
        return json.append(']').toString();
    }

    private static void string(StringBuilder json, String value) {
        json.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
