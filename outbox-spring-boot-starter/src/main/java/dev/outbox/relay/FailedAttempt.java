package dev.outbox.relay;

import java.time.Duration;

/**
 * An attempt that counts: the message itself could not be published.
 *
 * @param delay until the next attempt
 * @param error what to store about it
 */
record FailedAttempt(PendingMessage message, Duration delay, String error) {

    private static final int MAX_ERROR = 1000;

    static FailedAttempt of(PendingMessage message, Duration delay, Throwable failure) {
        String text = (failure.getClass().getSimpleName() + ": " + failure.getMessage()).replace("\0", "");
        int end = Math.min(text.length(), MAX_ERROR);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return new FailedAttempt(message, delay, text.substring(0, end));
    }
}
