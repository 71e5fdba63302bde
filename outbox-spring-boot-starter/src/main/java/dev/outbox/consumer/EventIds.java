package dev.outbox.consumer;

import dev.outbox.OutboxHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Reads the header {@code event_id}. */
final class EventIds {

    /** UUID.fromString takes shorter forms too. */
    private static final Pattern UUID_FORM =
            Pattern.compile("\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}");

    private EventIds() {}

    static UUID of(ConsumerRecord<?, ?> record) {
        Iterator<Header> headers =
                record.headers().headers(OutboxHeaders.EVENT_ID).iterator();
        if (!headers.hasNext()) {
            throw invalid(record, "has no header");
        }
        byte[] value = headers.next().value();
        if (headers.hasNext()) {
            throw invalid(record, "has more than one header");
        }
        String text = value == null ? "" : new String(value, StandardCharsets.UTF_8);
        if (!UUID_FORM.matcher(text).matches()) {
            throw invalid(record, "has no UUID in header");
        }
        return UUID.fromString(text);
    }

    private static InvalidEventIdException invalid(ConsumerRecord<?, ?> record, String problem) {
        return new InvalidEventIdException("The record at " + record.topic() + "-" + record.partition() + "@"
                + record.offset() + " " + problem + " " + OutboxHeaders.EVENT_ID
                + ", so a repeat of it could not be recognised.");
    }
}
