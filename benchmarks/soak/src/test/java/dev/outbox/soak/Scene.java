package dev.outbox.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Evidence of a run in which all went well, and which a test then spoils. Transactions are numbered from 1 on. */
final class Scene {

    static final String TOPIC = "topic";

    final List<Written> written = new ArrayList<>();
    final Set<Long> business = new HashSet<>();
    final List<Row> rows = new ArrayList<>();
    final List<Delivered> delivered = new ArrayList<>();

    private long time;

    /** A transaction after all others, with a message for each key. */
    Scene transaction(String... keys) {
        return transaction(time + 10, time + 20, time + 30, keys);
    }

    /** A transaction that writes and commits at these times; its rows get the next ids. */
    Scene transaction(long writeStart, long commitStart, long commitEnd, String... keys) {
        long number = written.size() + 1L;
        List<Written.Message> messages = new ArrayList<>();
        for (int index = 0; index < keys.length; index++) {
            UUID id = UUID.randomUUID();
            Digest payload = Digest.of((number + "." + index).getBytes(UTF_8));
            messages.add(new Written.Message(index, id, TOPIC, keys[index], payload, "poison".equals(keys[index])));
            rows.add(new Row(rows.size() + 1, id, TOPIC, keys[index], payload, 0, Row.State.PUBLISHED));
        }
        written.add(new Written(number, writeStart, commitStart, commitEnd, messages));
        business.add(number);
        time = Math.max(time, commitEnd);
        return this;
    }

    /** The rows with these ids arrive, one after the other. */
    Scene arrive(int... ids) {
        for (int id : ids) {
            Row row = rows.get(id - 1);
            delivered.add(new Delivered(
                    row.topic(),
                    0,
                    delivered.size(),
                    row.messageId().toString(),
                    Long.toString(id),
                    position(row),
                    row.key(),
                    row.payload()));
        }
        return this;
    }

    private String position(Row row) {
        for (Written transaction : written) {
            for (Written.Message message : transaction.messages()) {
                if (message.id().equals(row.messageId())) {
                    return transaction.number() + ":" + message.index();
                }
            }
        }
        throw new AssertionError(row);
    }

    /** The row with an id is in another state than published. */
    Scene state(int id, Row.State state, int attempts) {
        Row row = rows.get(id - 1);
        rows.set(id - 1, new Row(row.id(), row.messageId(), row.topic(), row.key(), row.payload(), attempts, state));
        return this;
    }

    Verdict verdict() {
        return verdict(0);
    }

    Verdict verdict(long repeatsAllowed) {
        Verdict verdict = new Verdict();
        Judge.judge(new Evidence(written, business, rows, delivered), repeatsAllowed, verdict);
        return verdict;
    }
}
