package dev.outbox.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a server's processes print, in a file that outlives the server's directory. */
record ServerLog(Path file) {

    private static final int LINES_SHOWN = 30;

    /** Under target where there is one, so that it is kept with the results of the build. */
    static ServerLog named(String name) {
        try {
            Path target = Path.of("target");
            Path directory = Files.isDirectory(target)
                    ? Files.createDirectories(target.resolve("test-servers"))
                    : Path.of(System.getProperty("java.io.tmpdir"));
            return new ServerLog(directory.resolve(name + ".log").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Redirect redirect() {
        return Redirect.appendTo(file.toFile());
    }

    /** For a message: where the log is and how it ends. */
    String describe() {
        return "its log is " + file + " and ends with:\n" + end();
    }

    private String end() {
        try {
            List<String> lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
        } catch (IOException e) {
            return "(not readable: " + e + ")";
        }
    }
}
