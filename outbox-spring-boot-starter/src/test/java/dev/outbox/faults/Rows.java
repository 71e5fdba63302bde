package dev.outbox.faults;

import static org.awaitility.Awaitility.await;

import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;

/** Messages that are written by SQL, good ones and such of which no record can be made, and what became of them. */
final class Rows {

    private final JdbcTemplate jdbc;
    private final Kafka kafka;
    private final String topic;

    Rows(Stage stage, Kafka kafka, String topic) {
        this.jdbc = stage.writer().jdbc();
        this.kafka = kafka;
        this.topic = topic;
    }

    /** Adds good messages to a key, in one transaction. */
    void good(String key, int... numbers) {
        for (int number : numbers) {
            insert(key, number, "{}");
        }
    }

    /** Adds a message that fails at each attempt, until it is mended. */
    void bad(String key, int number) {
        insert(key, number, "[1]");
    }

    private void insert(String key, int number, String headers) {
        jdbc.update(
                "INSERT INTO outbox_message (topic, key, headers, event_type, payload) VALUES (?, ?, ?::jsonb, 'Tested',"
                        + " ?::json)",
                topic,
                key,
                headers,
                Integer.toString(number));
    }

    /** Removes the fault of all messages. */
    void mend() {
        jdbc.update("UPDATE outbox_message SET headers = '{}' WHERE headers = '[1]'");
    }

    /** The row of a message. */
    Map<String, Object> row(String key, int number) {
        return jdbc.queryForMap(
                "SELECT * FROM outbox_message WHERE topic = ? AND key = ? AND payload::text = ?",
                topic,
                key,
                Integer.toString(number));
    }

    int count(String condition) {
        return jdbc.queryForObject("SELECT count(*) FROM outbox_message WHERE " + condition, Integer.class);
    }

    void awaitDead(int messages) {
        await("dead letters").atMost(Stage.BOUND).until(() -> count("dead_at IS NOT NULL") == messages);
    }

    /** Waits until as many messages as given are published. */
    void awaitPublished(int messages) {
        await("messages are published")
                .atMost(Stage.BOUND)
                .failFast("too many are published", () -> count("published_at IS NOT NULL") > messages)
                .until(() -> count("published_at IS NOT NULL") == messages);
    }

    void awaitPutAside(int messages) {
        await("messages are put aside")
                .atMost(Stage.BOUND)
                .until(() -> count("blocked_by IS NOT NULL AND dead_at IS NULL") == messages);
    }

    /** The numbers of a key in the topic, in the order of their first occurrence. */
    List<String> published(String key) {
        return Topics.firstOccurrences(Topics.read(kafka, topic), Topics::value).getOrDefault(key, List.of());
    }
}
