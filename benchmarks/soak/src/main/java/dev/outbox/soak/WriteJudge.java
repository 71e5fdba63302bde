package dev.outbox.soak;

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Promise 1: a message exists if and only if its transaction committed, and is what the caller gave. */
final class WriteJudge {

    private final Evidence evidence;
    private final Verdict verdict;

    WriteJudge(Evidence evidence, Verdict verdict) {
        this.evidence = evidence;
        this.verdict = verdict;
    }

    void judge(Map<UUID, Row> rows) {
        Set<UUID> known = new HashSet<>();
        Set<Long> numbers = new HashSet<>();
        for (Written transaction : evidence.written()) {
            numbers.add(transaction.number());
            if (!evidence.business().contains(transaction.number())) {
                verdict.violation(
                        Violation.MISSING_ROW, "transaction " + transaction.number() + " has no row of the business");
            }
            for (Written.Message message : transaction.messages()) {
                known.add(message.id());
                compare(transaction, message, rows.get(message.id()));
            }
        }
        for (Long number : evidence.business()) {
            if (!numbers.contains(number)) {
                verdict.violation(Violation.UNCOMMITTED_ROW, "transaction " + number + " has a row of the business");
            }
        }
        for (Row row : evidence.rows()) {
            if (!known.contains(row.messageId())) {
                verdict.violation(Violation.UNCOMMITTED_ROW, row.toString());
            }
        }
    }

    private void compare(Written transaction, Written.Message message, @Nullable Row row) {
        if (row == null) {
            verdict.violation(Violation.MISSING_ROW, "transaction " + transaction.number() + ", " + message);
        } else if (!row.topic().equals(message.topic())
                || !Objects.equals(row.key(), message.key())
                || !Objects.equals(row.payload(), message.payload())) {
            verdict.violation(Violation.WRONG_ROW, row + " and not " + message);
        }
    }
}
