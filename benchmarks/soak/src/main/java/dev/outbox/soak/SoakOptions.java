package dev.outbox.soak;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a run is asked for on the command line.
 *
 * @param duration how long to write and to break things
 * @param seed repeats the schedule of the faults and what the writers draw
 * @param relays processes that publish
 * @param writers threads that write
 * @param rate messages a second, of all writers together
 */
record SoakOptions(Duration duration, long seed, int relays, int writers, int rate) {

    private static final Set<String> KNOWN = Set.of("minutes", "seed", "relays", "writers", "rate");

    SoakOptions {
        check(!duration.isNegative() && !duration.isZero(), "--minutes", "more than 0");
        check(relays >= 1 && relays <= 20, "--relays", "1 to 20");
        check(writers >= 1 && writers <= 50, "--writers", "1 to 50");
        check(rate >= 1 && rate <= 100_000, "--rate", "1 to 100000");
    }

    /** Reads arguments of the form {@code --name=value}; each has a default. */
    static SoakOptions parse(String... arguments) {
        Map<String, String> given = new HashMap<>();
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            String name = parts[0].replaceFirst("^--", "");
            if (parts.length != 2 || !parts[0].startsWith("--") || !KNOWN.contains(name)) {
                throw new IllegalArgumentException("Not understood: " + argument
                        + ". Known are --minutes=3 --seed=random --relays=3 --writers=4 --rate=300");
            }
            given.put(name, parts[1]);
        }
        String seed = given.getOrDefault("seed", "random");
        return new SoakOptions(
                Duration.ofSeconds(Math.round(60 * number("minutes", given.getOrDefault("minutes", "3")))),
                "random".equals(seed) ? ThreadLocalRandom.current().nextLong(1_000_000) : (long) number("seed", seed),
                (int) number("relays", given.getOrDefault("relays", "3")),
                (int) number("writers", given.getOrDefault("writers", "4")),
                (int) number("rate", given.getOrDefault("rate", "300")));
    }

    private static double number(String name, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + name + " has to be a number: " + value, e);
        }
    }

    private static void check(boolean allowed, String name, String expected) {
        if (!allowed) {
            throw new IllegalArgumentException(name + " has to be " + expected);
        }
    }
}
