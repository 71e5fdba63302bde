package dev.outbox.schema;

import dev.outbox.OutboxSetupException;
import org.jspecify.annotations.Nullable;

/** The tables of the outbox are missing or not as needed; the text says which and what to do. */
public class OutboxSchemaException extends OutboxSetupException {

    private static final long serialVersionUID = 1L;

    OutboxSchemaException(String description, String action, @Nullable Throwable cause) {
        super(description, action, cause);
    }
}
