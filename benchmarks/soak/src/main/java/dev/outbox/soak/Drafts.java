package dev.outbox.soak;

import dev.outbox.soak.DraftMessage.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Draws messages: five topics, a few hundred keys of which some are busy, some without a key, of many sizes. */
final class Drafts {

    private static final int KEYS = 250;
    private static final int BUSY_KEYS = 4;
    private static final int MOST_IN_A_TRANSACTION = 6;

    private static final List<String> KEYED_TOPICS = List.of(
            SoakTopics.PLAIN.get(0),
            SoakTopics.PLAIN.get(1),
            SoakTopics.PLAIN.get(2),
            SoakTopics.SMALL,
            SoakTopics.COMPACTED);

    private static final List<Form> FORMS = List.of(Form.TEXT, Form.BYTES, Form.JSON);

    private final Random random;

    Drafts(Random random) {
        this.random = random;
    }

    /** What a business transaction writes. */
    List<DraftMessage> transaction() {
        List<DraftMessage> drafts = new ArrayList<>();
        for (int left = 1 + random.nextInt(MOST_IN_A_TRANSACTION); left > 0; left--) {
            drafts.add(draft());
        }
        return drafts;
    }

    private DraftMessage draft() {
        if (random.nextInt(12) == 0) {
            String topic = SoakTopics.PLAIN.get(random.nextInt(SoakTopics.PLAIN.size()));
            return new DraftMessage(topic, null, payload(), Form.TEXT, false);
        }
        String topic = KEYED_TOPICS.get(random.nextInt(KEYED_TOPICS.size()));
        return keyed(topic, key());
    }

    private String key() {
        return random.nextInt(8) == 0 ? busyKey() : "key-" + random.nextInt(KEYS);
    }

    /** A key that all writers use all the time. */
    String busyKey() {
        return "busy-" + random.nextInt(BUSY_KEYS);
    }

    /** A message to a busy key of a topic that takes everything. */
    DraftMessage busy() {
        return keyed(SoakTopics.PLAIN.get(random.nextInt(SoakTopics.PLAIN.size())), busyKey());
    }

    DraftMessage keyed(String topic, String key) {
        if (random.nextInt(30) == 0) {
            return new DraftMessage(topic, key, null, Form.TEXT, false);
        }
        Form form = FORMS.get(random.nextInt(FORMS.size()));
        String payload = payload();
        return new DraftMessage(topic, key, form == Form.JSON ? json(payload) : payload, form, false);
    }

    /** What no broker takes: too large for its topic. */
    static DraftMessage tooLarge(String key) {
        return new DraftMessage(SoakTopics.SMALL, key, "x".repeat(SoakTopics.SMALL_LIMIT * 3), Form.TEXT, true);
    }

    /** What no broker takes: a record without a key in a compacted topic. */
    static DraftMessage withoutKey() {
        return new DraftMessage(SoakTopics.COMPACTED, null, "needs a key", Form.TEXT, true);
    }

    /** Mostly small, seldom so large that it fills a producer batch. */
    private String payload() {
        int size = random.nextInt(200) == 0 ? 10_000 + random.nextInt(30_000) : 20 + random.nextInt(600);
        StringBuilder text = new StringBuilder(size);
        while (text.length() < size) {
            text.append(Long.toString(random.nextLong(), 36)).append(" é€ ");
        }
        return text.toString();
    }

    /** With white space, a key twice and a long number: what a database that understands JSON would change. */
    private static @Nullable String json(String text) {
        return "{ \"b\":1.10,\"a\" : \"" + text + "\",\n \"a\":12345678901234567890123 }";
    }
}
