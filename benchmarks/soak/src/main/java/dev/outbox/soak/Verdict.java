package dev.outbox.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the judge has found. */
final class Verdict {

    private final Map<Violation, List<String>> violations = new EnumMap<>(Violation.class);
    private long repeats;
    private long mostRepeats;
    private long distinct;
    private long poison;
    private long dead;
    private long held;

    void violation(Violation kind, String what) {
        violations.computeIfAbsent(kind, k -> new ArrayList<>()).add(what);
    }

    List<String> of(Violation kind) {
        return Collections.unmodifiableList(violations.getOrDefault(kind, List.of()));
    }

    boolean clean() {
        return violations.isEmpty();
    }

    /** A message has arrived so many times. */
    void arrived(int times) {
        distinct++;
        repeats += times - 1;
        mostRepeats = Math.max(mostRepeats, times - 1);
    }

    void poisonIs(Row.State state) {
        poison++;
        if (state == Row.State.DEAD) {
            dead++;
        }
    }

    /** A message waits behind a poison message that has not been given up. */
    void held() {
        held++;
    }

    /** Records beyond the first of their message. */
    long repeats() {
        return repeats;
    }

    /** Of one message. */
    long mostRepeats() {
        return mostRepeats;
    }

    /** Messages that have arrived. */
    long distinct() {
        return distinct;
    }

    long poison() {
        return poison;
    }

    /** Poison messages that were given up; the others are still tried now and then. */
    long dead() {
        return dead;
    }

    long heldBehindPoison() {
        return held;
    }
}
