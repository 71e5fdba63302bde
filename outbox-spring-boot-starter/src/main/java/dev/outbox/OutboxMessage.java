package dev.outbox;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to be published to Kafka: the description that {@link OutboxWriter} stores.
 *
 * <pre>{@code
 * OutboxMessage.to("order.events")
 *         .aggregate("order", order.id())
 *         .type("OrderCreated")
 *         .payload(new OrderCreated(order.id(), order.amount()))
 * }</pre>
 *
 * <p>The Kafka key is the aggregate id unless {@link #key(Object)} gives another or {@link
 * #unordered()} none. The messages of one (topic, key) reach Kafka in the order in which they were
 * written.
 *
 * <p>An instance is a builder: mutable, not thread-safe, and read once by the writer. It may be
 * written again, as another message, as long as it brings no id of its own. Values are checked when
 * the message is written.
 */
public final class OutboxMessage {

    private final String topic;
    private final List<Header> headers = new ArrayList<>();
    private @Nullable UUID id;
    private @Nullable String key;
    private boolean unordered;
    private @Nullable String aggregateType;
    private @Nullable String aggregateId;
    private @Nullable String type;
    private @Nullable Object payload;
    private boolean json;
    private @Nullable String contentType;

    private OutboxMessage(String topic) {
        this.topic = Objects.requireNonNull(topic, "topic");
    }

    /** Starts a message to a Kafka topic. */
    public static OutboxMessage to(String topic) {
        return new OutboxMessage(topic);
    }

    /**
     * Sets the message id, which consumers receive as {@code event_id} and use to recognise repeats.
     * Without it the writer makes a time-ordered one.
     */
    public OutboxMessage id(UUID id) {
        this.id = Objects.requireNonNull(id, "id");
        return this;
    }

    /** Sets the Kafka key: the text form of any id. Order is kept per (topic, key). */
    public OutboxMessage key(Object key) {
        this.key = Objects.requireNonNull(key, "key").toString();
        this.unordered = false;
        return this;
    }

    /** Sends the message without a key: it has no order and is never queued behind another one. */
    public OutboxMessage unordered() {
        this.key = null;
        this.unordered = true;
        return this;
    }

    /**
     * Names what the message is about. The id is the Kafka key too, unless another is given.
     *
     * @param type kind of the aggregate, such as {@code order}
     * @param id the text form of this is the aggregate's id
     */
    public OutboxMessage aggregate(String type, Object id) {
        this.aggregateType = Objects.requireNonNull(type, "type");
        this.aggregateId = Objects.requireNonNull(id, "id").toString();
        return this;
    }

    /** Names what happened, such as {@code OrderCreated}: header {@code event_type}. */
    public OutboxMessage type(String eventType) {
        this.type = Objects.requireNonNull(eventType, "eventType");
        return this;
    }

    /**
     * Sets the payload.
     *
     * <ul>
     *   <li>{@code byte[]}: sent as it is; {@code content_type} is {@code application/octet-stream}
     *   <li>{@code String}: sent as it is, in UTF-8; {@code content_type} is {@code
     *       text/plain;charset=UTF-8}. For text that is JSON see {@link #json(String)}
     *   <li>{@code null}: a tombstone
     *   <li>any other object: JSON, made by the {@link PayloadSerializer} when the message is written
     * </ul>
     */
    public OutboxMessage payload(@Nullable Object payload) {
        this.payload = payload;
        this.json = false;
        return this;
    }

    /**
     * Sets a payload that is JSON text already. It is sent exactly as given, and can be queried in
     * the database.
     */
    public OutboxMessage json(String json) {
        this.payload = Objects.requireNonNull(json, "json");
        this.json = true;
        return this;
    }

    /** Sets the header {@code content_type} where the kind of the payload does not say enough. */
    public OutboxMessage contentType(String contentType) {
        this.contentType = Objects.requireNonNull(contentType, "contentType");
        return this;
    }

    /** Adds a header with a text value. A name may be repeated; the order of headers is kept. */
    public OutboxMessage header(String name, String value) {
        headers.add(new Header(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value")));
        return this;
    }

    /** Adds a header with a binary value. A name may be repeated; the order of headers is kept. */
    public OutboxMessage header(String name, byte[] value) {
        headers.add(new Header(Objects.requireNonNull(name, "name"), value.clone()));
        return this;
    }

    /** The Kafka topic. */
    public String topic() {
        return topic;
    }

    /** The id given by the caller, or null to have one made. */
    public @Nullable UUID id() {
        return id;
    }

    /** The Kafka key: the one given, or the aggregate id, or null for none. */
    public @Nullable String key() {
        return key != null || unordered ? key : aggregateId;
    }

    /** The kind of the aggregate, or null. */
    public @Nullable String aggregateType() {
        return aggregateType;
    }

    /** The id of the aggregate, or null. */
    public @Nullable String aggregateId() {
        return aggregateId;
    }

    /** What happened, or null. */
    public @Nullable String type() {
        return type;
    }

    /** The payload as given, or null for a tombstone. */
    public @Nullable Object payload() {
        return payload;
    }

    /** Whether the payload was given as JSON text. */
    public boolean isJson() {
        return json;
    }

    /** The content type given by the caller, or null. */
    public @Nullable String contentType() {
        return contentType;
    }

    /** The caller's headers, in their order. */
    public List<Header> headers() {
        return Collections.unmodifiableList(headers);
    }

    /**
     * A header: {@code value} is a String or a byte array.
     *
     * @param name the header's name, at least one character
     * @param value a String or a byte array
     */
    public record Header(String name, Object value) {}
}
