package dev.outbox.soak;

import org.jspecify.annotations.Nullable;

/**
 * What a consumer has received.
 *
 * @param eventId as text; null where there is none
 * @param sequence the header {@code outbox_sequence}
 * @param position the writer's own header, see {@link DraftMessage#POSITION}
 */
record Delivered(
        String topic,
        int partition,
        long offset,
        @Nullable String eventId,
        @Nullable String sequence,
        @Nullable String position,
        @Nullable String key,
        @Nullable Digest payload) {

    String place() {
        return topic + "-" + partition + "@" + offset;
    }
}
