package dev.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that was given up, and that nobody has decided about yet.
 *
 * @param message what it is
 * @param attempts how many attempts have failed
 * @param lastError why the last one did, without payloads and credentials
 * @param deadAt when it was given up, by the database's clock
 * @param blocksKey whether the later messages of its key wait for a decision
 */
public record DeadLetter(
        MessageDescription message, int attempts, @Nullable String lastError, Instant deadAt, boolean blocksKey) {}
