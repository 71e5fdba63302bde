package dev.outbox.application.slices;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application that keeps notes and tells others of them. */
@SpringBootApplication
class NotesApplication {}
