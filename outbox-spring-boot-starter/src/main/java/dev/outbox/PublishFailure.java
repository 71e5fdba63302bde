package dev.outbox;

/**
 * A failed attempt to publish a message that is itself at fault. Outages, topics that do not work and neighbours in a
 * producer batch are no failures of a message, and use none of its attempts.
 *
 * @param message the message
 * @param attempts how many attempts have failed, this one included: 1 after the first
 * @param reason what kind of failure it is
 * @param error what is stored as {@code last_error}: at most 1,000 ASCII characters, without payloads and credentials
 * @param cause the failure itself. What others say in its text is unknown; prefer {@code error} for anything that is
 *     written down
 */
public record PublishFailure(MessageDescription message, int attempts, Reason reason, String error, Throwable cause) {

    /** Kinds of failures. */
    public enum Reason {

        /** Larger than the producer, the topic or the broker allows. Does not pass until one of these is changed. */
        TOO_LARGE,

        /** The broker refused it, as it does a record without a key on a compacted topic. */
        REFUSED,

        /** No record can be made of the row, because its headers are not of the form that the outbox knows. */
        MALFORMED
    }
}
