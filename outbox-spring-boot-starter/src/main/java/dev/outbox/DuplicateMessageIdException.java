package dev.outbox;

import java.util.UUID;

/**
 * A message with the given id is in the outbox already, pending or published. Nothing was written,
 * and the running transaction stays usable: a caller that repeats its work may take this as "done
 * before".
 */
public class DuplicateMessageIdException extends OutboxException {

    private static final long serialVersionUID = 1L;

    private final UUID messageId;

    public DuplicateMessageIdException(UUID messageId) {
        super("A message with id " + messageId + " is in the outbox already. Use a new id, or leave it out to"
                + " have one made.");
        this.messageId = messageId;
    }

    /** The id that was there. */
    public UUID messageId() {
        return messageId;
    }
}
