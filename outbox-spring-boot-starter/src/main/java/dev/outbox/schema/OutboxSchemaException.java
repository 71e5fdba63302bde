package dev.outbox.schema;

import dev.outbox.OutboxException;
import org.jspecify.annotations.Nullable;

/** The tables of the outbox are missing or not as needed; the text says which and what to do. */
public class OutboxSchemaException extends OutboxException {

    private static final long serialVersionUID = 1L;

    OutboxSchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
