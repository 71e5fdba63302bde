package dev.outbox.writer;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxMessage.Header;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes a message has in Kafka: payload, key and headers. The names and values of the outbox's own headers
 * that are the same for all messages, and the frame of the record, are left out: a few hundred bytes.
 */
final class MessageSize {

    /** What Kafka puts before a header's name and value at most: their lengths. */
    private static final int HEADER_FRAME = 10;

    private MessageSize() {}

    static long ofKey(@Nullable String key) {
        return utf8Length(key);
    }

    static long ofHeaders(OutboxMessage message) {
        long size = (long) utf8Length(message.type())
                + utf8Length(message.aggregateType())
                + utf8Length(message.aggregateId())
                + utf8Length(message.contentType());
        for (Header header : message.headers()) {
            size += HEADER_FRAME + utf8Length(header.name());
            size += header.value() instanceof byte[] bytes ? bytes.length : utf8Length((String) header.value());
        }
        return size;
    }

    /** Of a text without halves of surrogate pairs. */
    static int utf8Length(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // A surrogate pair takes four bytes: two for each of its characters.
                length += c >= 0x800 && !Character.isSurrogate(c) ? 2 : 1;
            }
        }
        return length;
    }
}
