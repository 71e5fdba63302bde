package dev.outbox;

import org.jspecify.annotations.Nullable;

/**
 * The outbox cannot start with what it was given. The message says what is wrong and what to do; it is thrown
 * while the application starts, and Spring Boot shows it as a failure analysis.
 */
public class OutboxSetupException extends OutboxException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    /**
     * Says what is wrong and how to put it right.
     *
     * @param description what is wrong, in whole sentences
     * @param action what to do, in whole sentences
     * @param cause what failed underneath, if anything did
     */
    public OutboxSetupException(String description, String action, @Nullable Throwable cause) {
        super(description + " " + action, cause);
        this.description = description;
        this.action = action;
    }

    /** What is wrong. */
    public String getDescription() {
        return description;
    }

    /** What to do. */
    public String getAction() {
        return action;
    }
}
