package dev.outbox;

import org.jspecify.annotations.Nullable;

/** Base of the exceptions that the outbox throws at its callers. */
public abstract class OutboxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    protected OutboxException(String message) {
        super(message);
    }

    protected OutboxException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
