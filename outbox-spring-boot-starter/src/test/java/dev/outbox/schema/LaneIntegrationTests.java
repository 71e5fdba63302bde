package dev.outbox.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxMessage;
import dev.outbox.test.TestService;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the database computes for each row, whoever inserts it. */
class LaneIntegrationTests {

    private static TestService service;

    @BeforeAll
    static void start() {
        service = TestService.onSharedServers().withoutRelay().start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        service.jdbc().execute("TRUNCATE outbox_message");
    }

    @Test
    void messagesOfOneTopicAndKeyShareALane() {
        service.jdbc()
                .update("INSERT INTO outbox_message (topic, key, event_type)"
                        + " SELECT 'topic' || t, 'key' || k, n FROM generate_series(1, 5) t, generate_series(1, 200) k,"
                        + " generate_series(1, 3) n");
        service.write(
                OutboxMessage.to("topic1").key("key1"),
                OutboxMessage.to("topic5").key("key200"));

        assertThat(service.jdbc()
                        .queryForObject(
                                "SELECT max(lanes) FROM (SELECT count(DISTINCT lane) AS lanes FROM outbox_message"
                                        + " GROUP BY topic, key) keys",
                                Integer.class))
                .isEqualTo(1);
        assertThat(lanes())
                .hasSize(64)
                .allSatisfy((lane, rows) -> assertThat(lane).isBetween(0, 63));
        // The topic counts too: keys of one name in several topics do not queue up in one lane.
        assertThat(service.jdbc()
                        .queryForObject(
                                "SELECT count(DISTINCT lane) FROM outbox_message WHERE key = 'key7'", Integer.class))
                .isGreaterThan(1);
    }

    @Test
    void messagesWithoutAKeyAreSpreadEvenly() {
        service.jdbc().update("INSERT INTO outbox_message (topic) SELECT 't' FROM generate_series(1, 6400)");
        assertThat(lanes())
                .hasSize(64)
                .allSatisfy((lane, rows) -> assertThat(rows).isEqualTo(100));
    }

    @Test
    void anEmptyKeyIsAKey() {
        service.jdbc().update("INSERT INTO outbox_message (topic, key) SELECT 't', '' FROM generate_series(1, 100)");
        assertThat(lanes()).hasSize(1);
    }

    @Test
    void theSizeIsThatOfPayloadKeyAndHeadersInBytes() {
        service.write(
                OutboxMessage.to("t"),
                OutboxMessage.to("t").payload(""),
                OutboxMessage.to("t").payload(new byte[1000]),
                OutboxMessage.to("t").payload("ü漢\uD83D\uDE80"),
                OutboxMessage.to("t").json(" \"ü漢\uD83D\uDE80\"\n"),
                OutboxMessage.to("t").key("ü"),
                OutboxMessage.to("t").header("n", "v".repeat(100)));
        assertThat(service.jdbc().queryForList("SELECT message_size FROM outbox_message ORDER BY id", Integer.class))
                .isEqualTo(List.of(2, 2, 1002, 11, 15, 4, "[[\"n\", \"\"]]".length() + 100));
    }

    private static Map<Integer, Integer> lanes() {
        return service.jdbc().query("SELECT lane, count(*) FROM outbox_message GROUP BY lane", rows -> {
            Map<Integer, Integer> lanes = new TreeMap<>();
            while (rows.next()) {
                lanes.put(rows.getInt(1), rows.getInt(2));
            }
            return lanes;
        });
    }
}
