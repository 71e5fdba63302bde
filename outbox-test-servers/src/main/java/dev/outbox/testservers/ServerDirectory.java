package dev.outbox.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The temporary directory of one server, and a guard beside it: a shell that waits for the end of its input. However
 * this JVM ends, by exit or by {@code kill -9}, that input ends with it, and the guard kills the server, frozen or not,
 * and removes the directory. A shutdown hook would do less, and would take the servers away from the shutdown hooks
 * of the application under test.
 */
final class ServerDirectory implements AutoCloseable {

    private static final String GUARD = """
            trap '' INT HUP TERM
            read _
            pid=$(cat "$1/server.pid" 2>/dev/null) && kill -9 "$pid"
            tries=0
            until rm -rf "$1" || [ $tries -ge 100 ]; do
              tries=$((tries + 1))
              sleep 0.1
            done
            """;

    private final Path path;
    private final Process guard;

    private ServerDirectory(Path path, Process guard) {
        this.path = path;
        this.guard = guard;
    }

    static ServerDirectory create(String name) {
        try {
            Path path = Files.createTempDirectory("outbox-test-" + name + "-");
            Process guard = new ProcessBuilder("sh", "-c", GUARD, "guard", path.toString())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return new ServerDirectory(path, guard);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unique, and beginning with the name it was created with. */
    String name() {
        return path.getFileName().toString();
    }

    Path resolve(String other) {
        return path.resolve(other);
    }

    /** Tells the guard which process to kill. */
    void serverStarted(long pid) {
        try {
            Files.writeString(path.resolve("server.pid"), Long.toString(pid));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process is gone, and its id may soon be another's. */
    void serverEnded() {
        try {
            Files.deleteIfExists(path.resolve("server.pid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the server if it runs, and removes the directory. */
    @Override
    public void close() {
        try {
            guard.getOutputStream().close();
            if (!guard.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Not removed within 30 seconds: " + path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
