package dev.outbox;

/**
 * The calling thread has no transaction that a message could join: none at all, one that is over, is
 * read-only, or is of another transaction manager. The text says which, and what to do. Nothing was
 * written, and a transaction that is running stays usable.
 */
public class OutboxTransactionException extends OutboxException {

    private static final long serialVersionUID = 1L;

    public OutboxTransactionException(String message) {
        super(message);
    }
}
