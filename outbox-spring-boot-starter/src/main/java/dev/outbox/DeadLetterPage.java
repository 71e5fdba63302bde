package dev.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some dead letters, oldest first.
 *
 * @param letters the dead letters
 * @param next what to ask with for those that come after them; null if there were no more
 */
public record DeadLetterPage(
        List<DeadLetter> letters, @Nullable String next) {

    public DeadLetterPage {
        letters = List.copyOf(letters);
    }
}
