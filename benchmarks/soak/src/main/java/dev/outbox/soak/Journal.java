package dev.outbox.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What happens, with the time since the begin, to the console and to a file. Thread-safe. */
final class Journal implements AutoCloseable {

    private final long start = System.nanoTime();
    private final Path directory;
    private final PrintWriter file;

    /** In a directory that is made if need be, and keeps all that is needed to look into a run. */
    Journal(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
            file = new PrintWriter(
                    Files.newBufferedWriter(directory.resolve("journal.log"), StandardCharsets.UTF_8), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path directory() {
        return directory;
    }

    /** One thing that happened. */
    void line(String text) {
        text(String.format(Locale.ROOT, "[%7.1f s] %s", (System.nanoTime() - start) / 1e9, text));
    }

    /** Text without a time. */
    synchronized void text(String text) {
        System.out.println(text);
        System.out.flush();
        file.println(text);
    }

    @Override
    public void close() {
        file.close();
    }
}
