package dev.outbox.soak;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The faults of a run, all drawn before it begins, so that a seed repeats them. Kinds are dealt like cards, each once
 * before one comes again: in three minutes each has its turn.
 */
record FaultSchedule(List<Fault> faults) {

    /** Before the first fault, and after the end of the last. */
    private static final Duration CALM = Duration.ofSeconds(8);

    private static final int SHORTEST_GAP_MILLIS = 2_000;
    private static final int LONGEST_GAP_MILLIS = 9_000;

    /** Some time for a place to recover, so that the next fault there does not find it down still. */
    private static final int RECOVERY_MILLIS = 6_000;

    /** A short run has no time for the longest faults. */
    private static final Duration FULL_LENGTH = Duration.ofMinutes(5);

    /**
     * Draws a schedule.
     *
     * @param topics how many topics can be denied
     */
    static FaultSchedule of(long seed, Duration run, int relays, int topics) {
        Random random = new Random(seed);
        List<Fault> faults = new ArrayList<>();
        Map<String, Long> busyUntil = new HashMap<>();
        Deque<FaultKind> cards = new ArrayDeque<>();
        double length = Math.min(1, (double) run.toMillis() / FULL_LENGTH.toMillis());
        long end = run.minus(CALM).toMillis();
        long offset = CALM.toMillis();
        while (offset < end) {
            if (cards.isEmpty()) {
                cards.addAll(shuffled(random));
            }
            FaultKind kind = cards.remove();
            int target = random.nextInt(kind.place() == FaultKind.Place.RELAY ? relays : topics);
            int range = (int) ((kind.longestMillis() - kind.shortestMillis()) * length);
            int duration = kind.shortestMillis() + random.nextInt(range + 1);
            String place = place(kind, target);
            long start = Math.max(offset, busyUntil.getOrDefault(place, 0L));
            if (start + duration <= end) {
                busyUntil.put(place, start + duration + RECOVERY_MILLIS);
                faults.add(new Fault(0, Duration.ofMillis(start), kind, target, Duration.ofMillis(duration)));
            }
            offset += SHORTEST_GAP_MILLIS + random.nextInt(LONGEST_GAP_MILLIS - SHORTEST_GAP_MILLIS + 1);
        }
        return new FaultSchedule(inOrder(faults));
    }

    private static List<FaultKind> shuffled(Random random) {
        List<FaultKind> kinds = new ArrayList<>(Arrays.asList(FaultKind.values()));
        Collections.shuffle(kinds, random);
        return kinds;
    }

    /** Relays and topics are hit one by one; of broker and database there is one each. */
    private static String place(FaultKind kind, int target) {
        return switch (kind.place()) {
            case RELAY, TOPIC -> kind.place() + " " + target;
            case BROKER, DATABASE -> kind.place().name();
            case NOWHERE -> kind.name();
        };
    }

    private static List<Fault> inOrder(List<Fault> drawn) {
        List<Fault> sorted =
                drawn.stream().sorted(Comparator.comparing(Fault::offset)).toList();
        List<Fault> numbered = new ArrayList<>();
        for (Fault fault : sorted) {
            numbered.add(
                    new Fault(numbered.size() + 1, fault.offset(), fault.kind(), fault.target(), fault.duration()));
        }
        return List.copyOf(numbered);
    }
}
