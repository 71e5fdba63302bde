package dev.outbox.writer;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A checked message, as the columns of its row.
 *
 * @param callersId whether the id was given by the caller, and so may be there already
 * @param size about how many bytes it has on its way to the database and to Kafka
 */
@SuppressWarnings("ArrayRecordComponent") // rows are never compared
record MessageRow(
        UUID id,
        boolean callersId,
        String topic,
        @Nullable String key,
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        @Nullable String eventType,
        @Nullable String contentType,
        @Nullable String json,
        byte @Nullable [] bytes,
        @Nullable String headers,
        int size) {}
