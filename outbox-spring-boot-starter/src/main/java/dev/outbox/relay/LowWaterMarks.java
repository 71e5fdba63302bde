package dev.outbox.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * For each lane the id up to which there is nothing to publish now, so that a look need not walk over what lies there:
 * messages that are held back, and index entries of published ones that a long transaction elsewhere keeps alive.
 *
 * <p>An id that is free of pending messages today may get one tomorrow, when a transaction that took it commits late.
 * That message is older than later ones of its key, and must not be missed. So a mark is found in three steps:
 *
 * <ol>
 *   <li>read the highest id there is;
 *   <li>wait until each transaction that can write to the table <em>now</em> has ended: whoever took a lower id is
 *       among them, or has ended already;
 *   <li>then, with a new snapshot, find the first message of each lane that is not held back. What is below it, and
 *       not above the id of step 1, can only be published or held back, for as long as the same is held back.
 * </ol>
 *
 * <p>When an operator decides about a dead letter, old messages may become pending again. That takes the lock of the lane
 * and is counted there. So the marks are compared with the count before the claim, that nothing is missed for long, and
 * once more when the lanes are claimed, where the order rests on it. For one thread.
 */
final class LowWaterMarks {

    /** A look that took longer had to walk over a lot. */
    static final Duration SLOW_LOOK = Duration.ofMillis(10);

    static final Duration LIFE = Duration.ofMinutes(1);

    /** How much longer than it took, at least, a search is not repeated: it takes a twentieth of the time at most. */
    private static final int REST = 20;

    private final LaneSurvey survey;
    private final LongSupplier nanoTime;
    private Long[] marks = none();
    private Exclusions basis = Exclusions.NONE;
    private long[] decisions = new long[OutboxStore.LANES];
    private long foundAt;
    private boolean wanted;
    private long restUntil;
    private @Nullable Candidate candidate;

    LowWaterMarks(LaneSurvey survey, LongSupplier nanoTime) {
        this.survey = survey;
        this.nanoTime = nanoTime;
        this.foundAt = nanoTime.getAsLong();
        this.restUntil = foundAt;
    }

    /** Notes how long the database looked for something to publish. */
    void lookTook(Duration duration) {
        wanted |= duration.compareTo(SLOW_LOOK) > 0;
    }

    /** Goes a step towards higher marks, if looks have become slow. Before any lane is locked: it may take its time. */
    void raise(Connection connection, Exclusions held) throws SQLException {
        if (!wanted || restUntil - nanoTime.getAsLong() > 0) {
            return;
        }
        if (candidate == null) {
            candidate = new Candidate(survey.highestId(connection), survey.writers(connection));
        }
        if (!candidate.writers.isEmpty() && !Collections.disjoint(survey.writers(connection), candidate.writers)) {
            return;
        }
        long start = nanoTime.getAsLong();
        // Before the search, so that a decision during it shows later.
        long[] known = survey.decisions(connection);
        dropDecided(known);
        Map<Integer, Long> firsts = survey.firstOfLanes(connection, held, of(held));
        Long[] found = none();
        for (int lane = 0; lane < found.length; lane++) {
            Long first = firsts.get(lane);
            found[lane] = first == null ? candidate.id : Math.min(candidate.id, first - 1);
        }
        marks = found;
        decisions = known;
        basis = held;
        foundAt = nanoTime.getAsLong();
        restUntil = foundAt + REST * (foundAt - start);
        wanted = false;
        candidate = null;
    }

    /** Drops the marks of lanes in which an operator has decided since they were found, and all that have ended. */
    void check(Connection connection) throws SQLException {
        if (haveEnded()) {
            // Or each pass would go on asking about marks that nobody uses.
            marks = none();
        }
        if (Arrays.stream(marks).anyMatch(mark -> mark != 0)) {
            dropDecided(survey.decisions(connection));
        }
    }

    private void dropDecided(long[] now) {
        for (int lane = 0; lane < marks.length; lane++) {
            if (now[lane] != decisions[lane]) {
                marks[lane] = 0L;
            }
        }
    }

    /** The marks of all lanes, by their number, when this is held back; zero where none is known. */
    Long[] of(Exclusions held) {
        if (haveEnded() || !held.topics().containsAll(basis.topics())) {
            return none();
        }
        Long[] valid = marks.clone();
        basis.keys().forEach((key, lane) -> {
            if (!held.keys().containsKey(key)) {
                valid[lane] = 0L;
            }
        });
        return valid;
    }

    private boolean haveEnded() {
        return nanoTime.getAsLong() - foundAt > LIFE.toNanos();
    }

    private static Long[] none() {
        Long[] none = new Long[OutboxStore.LANES];
        Arrays.fill(none, 0L);
        return none;
    }

    /**
     * An id that may become a mark.
     *
     * @param writers transactions that could write when it was read
     */
    private record Candidate(long id, List<String> writers) {}
}
