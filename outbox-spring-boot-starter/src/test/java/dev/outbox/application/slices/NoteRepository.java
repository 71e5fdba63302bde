package dev.outbox.application.slices;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class NoteRepository {

    private final JdbcClient jdbc;

    NoteRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void save(Note note) {
        jdbc.sql("INSERT INTO note VALUES (?, ?)")
                .params(note.id(), note.text())
                .update();
    }

    int count() {
        return jdbc.sql("SELECT count(*) FROM note").query(Integer.class).single();
    }
}
