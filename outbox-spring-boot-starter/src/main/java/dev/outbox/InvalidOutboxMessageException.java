package dev.outbox;

import org.jspecify.annotations.Nullable;

/**
 * The message cannot be stored or published as it is; the text names the field and says what to do.
 * Nothing was written, and the running transaction stays usable. Neither the payload nor a header
 * value is part of the text.
 */
public class InvalidOutboxMessageException extends OutboxException {

    private static final long serialVersionUID = 1L;

    public InvalidOutboxMessageException(String message) {
        super(message);
    }

    public InvalidOutboxMessageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
