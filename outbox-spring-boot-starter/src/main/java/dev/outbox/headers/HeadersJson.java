package dev.outbox.headers;

import dev.outbox.OutboxMessage.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The column {@code headers}. The writer fills it with an array of {@code ["name", "text"]} and {@code
 * ["name", "base64", "base64"]}, which keeps order, repeated names and binary values. A writer in SQL
 * may use a plain object instead: {@code {"name": "text"}}.
 */
public final class HeadersJson {

    /** Third element of a header whose value is binary. */
    private static final String BINARY = "base64";

    private HeadersJson() {}

    /** The column's value, or null for its default when there are no headers. */
    public static @Nullable String write(List<Header> headers) {
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

    /**
     * Reads the column.
     *
     * @param json valid JSON, as the database returns it
     * @throws IllegalArgumentException if it is not of the form described above; the text tells no values
     */
    public static List<StoredHeader> read(String json) {
        JsonReader reader = new JsonReader(json);
        List<StoredHeader> headers = new ArrayList<>();
        if (reader.skip('{')) {
            while (!reader.skip('}')) {
                String name = reader.string();
                reader.expect(':');
                headers.add(new StoredHeader(name, utf8(reader.scalar())));
                reader.skip(',');
            }
        } else {
            reader.expect('[');
            while (!reader.skip(']')) {
                headers.add(element(reader));
                reader.skip(',');
            }
        }
        return headers;
    }

    private static StoredHeader element(JsonReader reader) {
        reader.expect('[');
        String name = reader.string();
        reader.expect(',');
        String value = reader.scalar();
        if (!reader.skip(',')) {
            reader.expect(']');
            return new StoredHeader(name, utf8(value));
        }
        if (value == null || !BINARY.equals(reader.string())) {
            throw new IllegalArgumentException("the third element of a header can only be \"" + BINARY + "\"");
        }
        reader.expect(']');
        return new StoredHeader(name, Base64.getDecoder().decode(value));
    }

    private static byte @Nullable [] utf8(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * A header as it goes to Kafka.
     *
     * @param name the header's name
     * @param value the bytes, or null for a header without a value
     */
    @SuppressWarnings("ArrayRecordComponent") // headers are never compared
    public record StoredHeader(String name, byte @Nullable [] value) {}
}
