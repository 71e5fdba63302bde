package dev.outbox.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outbox.OutboxMessage;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message before it is written.
 *
 * @param payload the text of the value; null for a tombstone
 * @param form how the payload is handed to the writer
 * @param poison whether no broker will take it
 */
record DraftMessage(
        String topic, @Nullable String key, @Nullable String payload, Form form, boolean poison) {

    /** A header of the writer's own: the number of the transaction and the place in it. */
    static final String POSITION = "soak_position";

    /** Ways to give a payload. */
    enum Form {
        TEXT,
        BYTES,
        JSON
    }

    OutboxMessage message(long transaction, int index) {
        OutboxMessage message = OutboxMessage.to(topic).header(POSITION, transaction + ":" + index);
        if (key == null) {
            message.unordered();
        } else {
            message.key(key);
        }
        if (payload == null) {
            return message;
        }
        return switch (form) {
            case TEXT -> message.payload(payload);
            case BYTES -> message.payload(payload.getBytes(UTF_8));
            case JSON -> message.json(payload);
        };
    }

    Written.Message written(int index, UUID id) {
        return new Written.Message(
                index, id, topic, key, Digest.of(payload == null ? null : payload.getBytes(UTF_8)), poison);
    }
}
