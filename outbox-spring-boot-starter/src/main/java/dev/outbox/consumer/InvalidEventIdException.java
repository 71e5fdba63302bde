package dev.outbox.consumer;

import dev.outbox.OutboxException;

/**
 * A record brings no usable {@code event_id}, so a repeat of it could not be recognised. Delivering
 * it again cannot help: an error handler should treat this as not retryable.
 */
public class InvalidEventIdException extends OutboxException {

    private static final long serialVersionUID = 1L;

    public InvalidEventIdException(String message) {
        super(message);
    }
}
