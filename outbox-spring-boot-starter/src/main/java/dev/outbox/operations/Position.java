package dev.outbox.operations;

import dev.outbox.DeadLetter;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** A place in the order of dead letters, which does not move when others are decided about. */
record Position(Instant deadAt, long id) {

    private static final char SEPARATOR = '_';

    static Position of(DeadLetter letter) {
        return new Position(letter.deadAt(), letter.message().sequence());
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException if it did not
     */
    static Position parse(String text) {
        int separator = text.lastIndexOf(SEPARATOR);
        try {
            return new Position(
                    Instant.parse(text.substring(0, Math.max(0, separator))),
                    Long.parseLong(text.substring(separator + 1)));
        } catch (DateTimeParseException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'after' does not come from a page of dead letters. Give null for the first page, then next() of the"
                            + " page before.",
                    e);
        }
    }

    @Override
    public String toString() {
        return deadAt.toString() + SEPARATOR + id;
    }
}
