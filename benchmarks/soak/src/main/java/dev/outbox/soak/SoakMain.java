package dev.outbox.soak;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Runs a soak: {@code --minutes=30 --seed=1 --relays=3 --writers=4 --rate=300}. Ends with 0 if all promises held. */
final class SoakMain {

    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private SoakMain() {}

    public static void main(String[] args) throws Exception {
        SoakOptions options = SoakOptions.parse(args);
        Path directory =
                Path.of("target", "soak", LocalDateTime.now(ZoneOffset.UTC).format(NAME) + "-seed-" + options.seed());
        boolean held;
        try (Journal journal = new Journal(directory.toAbsolutePath())) {
            held = Soak.run(options, journal);
        }
        System.exit(held ? 0 : 1);
    }
}
