package dev.outbox.faults;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What others do to single rows hurts no other key. */
class OddRowIntegrationTests {

    private final Kafka kafka = TestServers.kafka();
    private final String topic = Topics.create(kafka, "odd-rows");

    @Test
    void aRowThatAnotherSessionHoldsIsMarkedLaterAndAllOthersNow() throws SQLException {
        try (Stage stage = Stage.on(kafka);
                Connection other = stage.writer().bean(DataSource.class).getConnection()) {
            stage.writer().write(to(topic).key("held").payload("held"));
            other.setAutoCommit(false);
            other.createStatement().execute("SELECT FROM outbox_message FOR UPDATE");
            try (Load flowing = new Load(stage.writer(), topic, 20);
                    TestService relay = stage.relay("relay").start()) {
                flowing.write(300);
                stage.awaitPending(1);
                flowing.write(100);
                stage.awaitPending(1);

                other.rollback();
                stage.awaitDrained();
            }
            assertThat(Topics.read(kafka, topic).stream().filter(record -> "held".equals(Topics.value(record))))
                    .isNotEmpty();
        }
    }

    @Test
    void retryStatesThatNoRelayLeavesHoldBackTheirOwnKeyOnly() {
        try (Stage stage = Stage.on(kafka)) {
            insert(stage, "far", "{}", 0, "'infinity'");
            insert(stage, "past", "{}", 0, "'-infinity'");
            insert(stage, "often", "[1]", Integer.MAX_VALUE, "NULL");
            try (TestService relay = stage.relay("relay").start()) {
                stage.writer().write(to(topic).key("good").payload("good"));
                // The one that was attempted too often is given up at its next failure, and not pending any more.
                stage.awaitPending(1);
                assertThat(stage.rows(topic))
                        .filteredOn(row -> row.get("published_at") == null)
                        .extracting(row -> row.get("key"))
                        .containsExactly("far", "often");
            }
        }
    }

    private void insert(Stage stage, String key, String headers, int attempts, String nextAttempt) {
        stage.writer()
                .jdbc()
                .update(
                        "INSERT INTO outbox_message (topic, key, headers, attempts, next_attempt_at)"
                                + " VALUES (?, ?, ?::jsonb, ?, " + nextAttempt + ")",
                        topic,
                        key,
                        headers,
                        attempts);
    }
}
