package dev.outbox.soak;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Compares what was committed with what has arrived. Knows nothing of servers, so that it can be judged itself. */
final class Judge {

    private Judge() {}

    /**
     * Adds to a verdict all that is wrong.
     *
     * @param repeatsAllowed what the faults can explain
     */
    static void judge(Evidence evidence, long repeatsAllowed, Verdict verdict) {
        Map<UUID, Row> rows = new HashMap<>();
        evidence.rows().forEach(row -> rows.put(row.messageId(), row));
        Map<UUID, String> positions = new HashMap<>();
        Set<UUID> poison = new HashSet<>();
        for (Written transaction : evidence.written()) {
            for (Written.Message message : transaction.messages()) {
                positions.put(message.id(), transaction.number() + ":" + message.index());
                if (message.poison()) {
                    poison.add(message.id());
                }
            }
        }
        new WriteJudge(evidence, verdict).judge(rows);
        new DeliveryJudge(evidence, verdict).judge(rows, positions, poison);
        new OrderJudge(evidence, verdict).judge(rows);
        if (verdict.repeats() > repeatsAllowed) {
            verdict.violation(
                    Violation.TOO_MANY_REPEATS, verdict.repeats() + ", where faults explain " + repeatsAllowed);
        }
    }
}
