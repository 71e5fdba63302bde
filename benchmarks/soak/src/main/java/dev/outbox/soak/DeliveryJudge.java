package dev.outbox.soak;

import dev.outbox.soak.Row.State;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Promises 2, 4, 5 and 7: each row arrives, nothing else does, unaltered, and nobody but the guilty is blamed. */
final class DeliveryJudge {

    private final Evidence evidence;
    private final Verdict verdict;

    DeliveryJudge(Evidence evidence, Verdict verdict) {
        this.evidence = evidence;
        this.verdict = verdict;
    }

    /**
     * Judges records and rows.
     *
     * @param positions what each message has in the header {@link DraftMessage#POSITION}
     */
    void judge(Map<UUID, Row> rows, Map<UUID, String> positions, Set<UUID> poison) {
        Map<UUID, Integer> arrivals = new HashMap<>();
        for (Delivered record : evidence.delivered()) {
            Row row = row(record, rows);
            if (row == null) {
                verdict.violation(Violation.INVENTED, record.toString());
                continue;
            }
            arrivals.merge(row.messageId(), 1, Integer::sum);
            if (!same(record, row, positions.get(row.messageId()))) {
                verdict.violation(Violation.ALTERED, record + " and not " + row);
            }
        }
        Set<String> heldKeys = heldKeys(poison);
        for (Row row : evidence.rows()) {
            int times = arrivals.getOrDefault(row.messageId(), 0);
            if (times > 0) {
                verdict.arrived(times);
            }
            if (poison.contains(row.messageId())) {
                judgePoison(row, times);
            } else {
                judgeGood(row, times, heldKeys);
            }
        }
    }

    private static @Nullable Row row(Delivered record, Map<UUID, Row> rows) {
        try {
            return record.eventId() == null ? null : rows.get(UUID.fromString(record.eventId()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean same(Delivered record, Row row, @Nullable String position) {
        return record.topic().equals(row.topic())
                && Objects.equals(record.key(), row.key())
                && Objects.equals(record.payload(), row.payload())
                && Objects.equals(record.sequence(), Long.toString(row.id()))
                && Objects.equals(record.position(), position);
    }

    private Set<String> heldKeys(Set<UUID> poison) {
        Set<String> keys = new HashSet<>();
        for (Row row : evidence.rows()) {
            if (row.state() == State.PENDING && row.key() != null && poison.contains(row.messageId())) {
                keys.add(row.topic() + " " + row.key());
            }
        }
        return keys;
    }

    private void judgePoison(Row row, int times) {
        verdict.poisonIs(row.state());
        if (times > 0) {
            verdict.violation(Violation.POISON_TAKEN, row.toString());
        }
        if (row.state() == State.PUBLISHED || (row.state() == State.PENDING && row.attempts() == 0)) {
            verdict.violation(Violation.LOST, row + " was never tried");
        }
    }

    private void judgeGood(Row row, int times, Set<String> heldKeys) {
        if (row.attempts() > 0 || row.state() == State.DEAD) {
            verdict.violation(Violation.BLAMED, row.toString());
        }
        if (times > 0) {
            if (row.state() != State.PUBLISHED) {
                verdict.violation(Violation.UNMARKED, row.toString());
            }
        } else if (row.state() == State.PENDING && heldKeys.contains(row.topic() + " " + row.key())) {
            verdict.held();
        } else {
            verdict.violation(Violation.LOST, row.toString());
        }
    }
}
