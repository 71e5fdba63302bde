package dev.outbox.application.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.Topics;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.annotation.Transactional;

/** {@code @SpringBootTest} is the whole application, its relay included. */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@DirtiesContext
class SpringBootTestIntegrationTests {

    private static NotesServers servers;

    @Autowired
    private NoteService notes;

    @Autowired
    private JdbcClient jdbc;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        servers = NotesServers.create();
        servers.register(registry);
    }

    @Test
    @Transactional
    void aTestInATransactionSeesWhatItWroteAndRollsItBack() {
        notes.take(new Note(1, "rolled back"));

        assertThat(messages("WHERE payload ->> 'text' = 'rolled back'")).isEqualTo(1);
    }

    @Test
    void aTestWithoutOneSeesItPublished() {
        UUID id = notes.take(new Note(2, "published"));

        await().atMost(Duration.ofSeconds(60)).until(() -> messages("WHERE published_at IS NULL") == 0);
        assertThat(Topics.eventIds(TestServers.kafka(), servers.topic())).containsExactly(id);
    }

    private int messages(String where) {
        return jdbc.sql("SELECT count(*) FROM outbox_message " + where)
                .query(Integer.class)
                .single();
    }
}
