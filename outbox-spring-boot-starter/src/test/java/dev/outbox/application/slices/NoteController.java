package dev.outbox.application.slices;

import java.util.UUID;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class NoteController {

    private final NoteService notes;

    NoteController(NoteService notes) {
        this.notes = notes;
    }

    @PostMapping("/notes")
    UUID take(@RequestBody Note note) {
        return notes.take(note);
    }
}
