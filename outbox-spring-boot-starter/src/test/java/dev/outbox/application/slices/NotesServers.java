package dev.outbox.application.slices;

import dev.outbox.test.Topics;
import dev.outbox.testservers.TestServers;
import org.springframework.test.context.DynamicPropertyRegistry;

/** The database and the topic of one test class. */
record NotesServers(String database, String topic) {

    static NotesServers create() {
        return new NotesServers(TestServers.postgres().createDatabase(), Topics.create(TestServers.kafka(), "notes"));
    }

    void register(DynamicPropertyRegistry registry) {
        registry.add("spring.datasource.url", this::database);
        registry.add("spring.datasource.username", TestServers.postgres()::user);
        registry.add("spring.datasource.password", TestServers.postgres()::password);
        registry.add("spring.kafka.bootstrap-servers", TestServers.kafka()::bootstrapServers);
        registry.add("spring.flyway.locations", () -> "classpath:notes-migrations");
        registry.add("notes.topic", this::topic);
    }
}
