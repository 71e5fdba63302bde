package dev.outbox.soak;

/** Promises that can be found broken. None may be. */
enum Violation {
    LOST("committed messages that did not arrive"),
    INVENTED("records that nobody committed"),
    OUT_OF_ORDER("messages whose first occurrence came after that of a later one of their key"),
    ALTERED("records that differ from what was written"),
    UNMARKED("messages that arrived and are not marked as published"),
    MISSING_ROW("committed transactions with a message that has no row"),
    UNCOMMITTED_ROW("rows of transactions that did not commit"),
    WRONG_ROW("rows that differ from what was written"),
    BLAMED("messages without fault that used an attempt or were given up"),
    POISON_TAKEN("messages that no broker should take and one took"),
    TOO_MANY_REPEATS("repeats beyond what the faults can explain"),
    RELAY_ENDED("relays that ended by themselves"),
    RELAY_HUNG("relays that did not end when asked to");

    private final String meaning;

    Violation(String meaning) {
        this.meaning = meaning;
    }

    String meaning() {
        return meaning;
    }
}
