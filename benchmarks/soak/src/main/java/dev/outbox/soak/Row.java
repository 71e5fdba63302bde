package dev.outbox.soak;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the database has of a message. */
record Row(
        long id,
        UUID messageId,
        String topic,
        @Nullable String key,
        @Nullable Digest payload,
        int attempts,
        State state) {

    /** What the relays say of it. */
    enum State {
        PENDING,
        PUBLISHED,
        DEAD
    }
}
