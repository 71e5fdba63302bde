package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What counts as written earlier, and writers that are not this library. */
class WriteOrderIntegrationTests {

    private final Kafka kafka = TestServers.kafka();
    private final Stage stage = Stage.on(kafka);
    private final String topic = Topics.create(kafka, "order");

    @AfterEach
    void close() {
        stage.close();
    }

    @RepeatedTest(3)
    void aMessageThatIsCommittedLateComesBeforeThoseWrittenAfterItsCommit() throws SQLException {
        try (TestService relay = stage.relay("relay").start();
                Connection slow = connection()) {
            slow.setAutoCommit(false);
            insert(slow, "1");
            try (Connection other = connection()) {
                insert(other, "2");
            }
            stage.awaitDrained();
            slow.commit();
            try (Connection next = connection()) {
                insert(next, "3");
            }
            stage.awaitDrained();
            assertThat(values()).containsExactly("2", "1", "3");
        }
    }

    @Test
    void soItDoesWhenTheRelayMeetsBothAtOnce() throws SQLException {
        try (Connection slow = connection()) {
            slow.setAutoCommit(false);
            insert(slow, "1");
            try (Connection other = connection();
                    TestService relay = stage.relay("relay").start()) {
                insert(other, "2");
                stage.awaitDrained();
            }
            slow.commit();
            try (Connection next = connection()) {
                insert(next, "3");
            }
        }
        try (TestService relay = stage.relay("relay").start()) {
            stage.awaitDrained();
            assertThat(values()).containsExactly("2", "1", "3");
        }
    }

    @Test
    void aRowInsertedBySqlOfAnyKindIsPublishedWithoutAWakeUp() throws SQLException {
        try (TestService relay = stage.relay("relay").start();
                Connection connection = connection();
                PreparedStatement statement = connection.prepareStatement(
                        "INSERT INTO outbox_message (topic, key, payload) VALUES (?, 'k', '{\"a\":  1.10}')")) {
            statement.setString(1, topic);
            statement.executeUpdate();

            stage.awaitDrained();
            assertThat(values()).containsExactly("{\"a\":  1.10}");
            assertThat(Topics.eventIds(kafka, topic))
                    .isEqualTo(stage.writer().jdbc().queryForList("SELECT message_id FROM outbox_message", UUID.class));
        }
    }

    private Connection connection() throws SQLException {
        return stage.writer().bean(DataSource.class).getConnection();
    }

    private void insert(Connection connection, String value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO outbox_message (topic, key, payload_bytes) VALUES (?, 'k', convert_to(?, 'UTF8'))")) {
            statement.setString(1, topic);
            statement.setString(2, value);
            statement.executeUpdate();
        }
    }

    private List<String> values() {
        return Topics.read(kafka, topic).stream().map(Topics::value).toList();
    }
}
