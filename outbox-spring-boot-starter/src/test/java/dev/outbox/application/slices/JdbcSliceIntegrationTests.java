package dev.outbox.application.slices;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** {@code @JdbcTest} has the repository, and neither beans nor tables of the outbox. */
@JdbcTest
@AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
@Import(NoteRepository.class)
@DirtiesContext
class JdbcSliceIntegrationTests {

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        NotesServers.create().register(registry);
    }

    @Test
    void theRepositoryWorks(
            @Autowired NoteRepository notes, @Autowired JdbcClient jdbc, @Autowired ApplicationContext context) {
        notes.save(new Note(1, "one"));

        assertThat(notes.count()).isEqualTo(1);
        assertThat(context.getBeanDefinitionNames()).noneMatch(name -> name.startsWith("outbox"));
        assertThat(jdbc.sql("SELECT to_regclass('outbox_message') IS NULL")
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }
}
