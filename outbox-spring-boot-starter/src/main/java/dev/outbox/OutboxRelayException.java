package dev.outbox;

import org.jspecify.annotations.Nullable;

/** A run of the relay by hand ended early: the text says what did not work. No message is lost by it. */
public class OutboxRelayException extends OutboxException {

    private static final long serialVersionUID = 1L;

    public OutboxRelayException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
