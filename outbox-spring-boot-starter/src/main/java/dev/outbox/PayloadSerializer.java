package dev.outbox;

/**
 * Turns a payload object into JSON text. A bean of this type replaces the default, which uses the
 * application's own Jackson mapper.
 *
 * <p>Called in the writer's thread, before any SQL. Implementations are thread-safe.
 */
@FunctionalInterface
public interface PayloadSerializer {

    /**
     * Serializes a payload.
     *
     * @param payload the object given to {@link OutboxMessage#payload(Object)}; never null, never a
     *     String or a byte array, which are sent as they are
     * @return JSON text, which is published exactly as returned, in UTF-8
     * @throws RuntimeException if the object cannot be serialized; the writer reports it as {@link
     *     InvalidOutboxMessageException}
     */
    String toJson(Object payload);
}
