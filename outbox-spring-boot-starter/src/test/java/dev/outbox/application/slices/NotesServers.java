package dev.outbox.application.slices;

import dev.outbox.test.Topics;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.springframework.test.context.DynamicPropertyRegistry;

/** The database and the topic of one test class. */
record NotesServers(String database, String topic) {

    static NotesServers create() {
        Postgres postgres = TestServers.postgres();
        NotesServers servers = new NotesServers(postgres.createDatabase(), Topics.create(TestServers.kafka(), "notes"));
        try (Connection connection =
                        DriverManager.getConnection(servers.database, postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE note (id bigint PRIMARY KEY, text text)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return servers;
    }

    void register(DynamicPropertyRegistry registry) {
        registry.add("spring.datasource.url", this::database);
        registry.add("spring.datasource.username", TestServers.postgres()::user);
        registry.add("spring.datasource.password", TestServers.postgres()::password);
        registry.add("spring.kafka.bootstrap-servers", TestServers.kafka()::bootstrapServers);
        registry.add("notes.topic", this::topic);
    }
}
