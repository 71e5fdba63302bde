package dev.outbox.relay;

import dev.outbox.PublishFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that counts: the message itself could not be published.
 *
 * @param delay until the next attempt, or null if there is none
 */
record FailedAttempt(
        PendingMessage message,
        PublishFailure failure,
        @Nullable Duration delay) {}
