package dev.outbox.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A relay's process, from its start to its end. It dies with this JVM, frozen or not. */
final class RelayProcess {

    private static final long BOUND_SECONDS = 60;

    /** Waits for the end of its input, which comes with the end of this JVM however that ends. */
    private static final String GUARD = "trap '' INT HUP TERM; read _; kill -9 \"$1\"";

    private final Path log;
    private final Process process;
    private final Process guard;

    private RelayProcess(Path log, Process process, Process guard) {
        this.log = log;
        this.process = process;
        this.guard = guard;
    }

    static RelayProcess start(List<String> properties, Path log) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dlogging.config=classpath:relay-logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                RelayMain.class.getName()));
        command.addAll(properties);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Process guard = new ProcessBuilder("sh", "-c", GUARD, "guard", Long.toString(process.pid()))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return new RelayProcess(log, process, guard);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it has ever come up. */
    boolean wasReady() {
        try {
            return Files.readString(log, UTF_8).contains(RelayMain.READY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code kill -9}; returns when it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    /** {@code kill -9}, without waiting for the end. */
    void destroy() {
        process.destroyForcibly();
        guard.destroyForcibly();
    }

    /**
     * Asks it to end (SIGTERM), and kills it if it does not.
     *
     * @return whether it ended by itself
     */
    boolean terminate() throws InterruptedException {
        process.destroy();
        boolean ended = process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS);
        kill();
        return ended;
    }

    /** The process id may be another's once the process is gone, so the guard goes with it. */
    private void awaitEnd() throws InterruptedException {
        if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Still there after kill -9: process " + process.pid());
        }
        guard.destroyForcibly();
        guard.waitFor();
    }

    void signal(String signal) throws InterruptedException {
        try {
            Process kill = new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
            kill.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
