package dev.outbox.application.slices;

record Note(long id, String text) {}
