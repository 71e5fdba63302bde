package dev.outbox.application.slices;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class NoteService {

    private final NoteRepository notes;
    private final OutboxWriter outbox;
    private final String topic;

    NoteService(NoteRepository notes, OutboxWriter outbox, @Value("${notes.topic}") String topic) {
        this.notes = notes;
        this.outbox = outbox;
        this.topic = topic;
    }

    @Transactional
    UUID take(Note note) {
        notes.save(note);
        return outbox.write(OutboxMessage.to(topic).key(note.id()).payload(note));
    }
}
