package dev.outbox.soak;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Promise 3: the first occurrences of a key are in the order in which its messages were written.
 *
 * <p>Of two messages of one transaction, the one written first comes first. Of two transactions, the one that had
 * committed before the other one began to write comes first; if they overlapped, both the order of ids and that of
 * commits are right, so that a message is late only if it comes second by both. A commit happens at some time between
 * the moment before it was sent and the one after it was answered; where two of these intervals overlap, nobody can
 * tell, and either order is right.
 */
final class OrderJudge {

    private final Evidence evidence;
    private final Verdict verdict;

    OrderJudge(Evidence evidence, Verdict verdict) {
        this.evidence = evidence;
        this.verdict = verdict;
    }

    void judge(Map<UUID, Row> rows) {
        Map<UUID, Place> places = places(rows);
        Map<String, List<Place>> keys = new HashMap<>();
        Map<String, Integer> partitions = new HashMap<>();
        Set<UUID> seen = new HashSet<>();
        for (Delivered record : evidence.delivered()) {
            Place place = place(record, places);
            if (place == null || record.key() == null) {
                continue;
            }
            String key = record.topic() + " " + record.key();
            Integer before = partitions.putIfAbsent(key, record.partition());
            if (before != null && before != record.partition()) {
                verdict.violation(Violation.OUT_OF_ORDER, key + " is in partitions " + before + " and " + record);
            }
            if (seen.add(place.id())) {
                keys.computeIfAbsent(key, k -> new ArrayList<>()).add(place);
            }
        }
        appendPending(rows, places, keys);
        keys.forEach(this::judgeKey);
    }

    /** What is still pending counts as coming last: nothing later may have gone before it. */
    private static void appendPending(Map<UUID, Row> rows, Map<UUID, Place> places, Map<String, List<Place>> keys) {
        rows.values().stream()
                .filter(row -> row.state() == Row.State.PENDING && row.key() != null)
                .sorted(Comparator.comparingLong(Row::id))
                .forEach(row -> {
                    Place place = places.get(row.messageId());
                    List<Place> key = keys.computeIfAbsent(row.topic() + " " + row.key(), k -> new ArrayList<>());
                    if (place != null && !key.contains(place)) {
                        key.add(place);
                    }
                });
    }

    private Map<UUID, Place> places(Map<UUID, Row> rows) {
        Map<UUID, Place> places = new HashMap<>();
        for (Written transaction : evidence.written()) {
            for (Written.Message message : transaction.messages()) {
                Row row = rows.get(message.id());
                if (row != null) {
                    places.put(message.id(), new Place(message.id(), row.id(), message.index(), transaction));
                }
            }
        }
        return places;
    }

    private static @Nullable Place place(Delivered record, Map<UUID, Place> places) {
        try {
            return record.eventId() == null ? null : places.get(UUID.fromString(record.eventId()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private void judgeKey(String key, List<Place> arrived) {
        long highestId = Long.MIN_VALUE;
        long latestStart = Long.MIN_VALUE;
        Map<Long, Integer> lastIndex = new HashMap<>();
        for (int i = 0; i < arrived.size(); i++) {
            Place place = arrived.get(i);
            Integer before = lastIndex.put(place.transaction().number(), place.index());
            boolean suspect = place.rowId() < highestId
                    || place.transaction().commitEnd() < latestStart
                    || (before != null && before > place.index());
            if (suspect) {
                judgeLate(key, place, arrived.subList(0, i));
            }
            highestId = Math.max(highestId, place.rowId());
            latestStart = Math.max(latestStart, place.transaction().writeStart());
        }
    }

    private void judgeLate(String key, Place late, List<Place> before) {
        for (Place other : before) {
            if (late.mustPrecede(other)) {
                verdict.violation(Violation.OUT_OF_ORDER, key + ": " + late + " came after " + other);
                return;
            }
        }
    }

    /** Where a message stands among those of its key. */
    private record Place(UUID id, long rowId, int index, Written transaction) {

        boolean mustPrecede(Place other) {
            if (transaction.number() == other.transaction.number()) {
                return index < other.index;
            }
            return transaction.commitEnd() < other.transaction.writeStart()
                    || (rowId < other.rowId && transaction.commitEnd() < other.transaction.commitStart());
        }

        @Override
        public String toString() {
            return "row %d (transaction %d.%d, written from %d, committed between %d and %d)"
                    .formatted(
                            rowId,
                            transaction.number(),
                            index,
                            transaction.writeStart(),
                            transaction.commitStart(),
                            transaction.commitEnd());
        }
    }
}
