package dev.outbox.test;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A service with a relay in a JVM of its own, to be killed and frozen. It runs on the class path of the test and dies
 * with it, frozen or not.
 */
public final class RelayProcess implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(2);

    /** Waits for the end of its input, which comes with the end of the test's JVM however that ends. */
    private static final String GUARD = "trap '' INT HUP TERM; read _; kill -9 \"$1\"";

    private static final Pattern PUBLISHED = Pattern.compile(RelayProcessMain.PUBLISHED + "(\\d+)");

    private final String name;
    private final Path log;
    private final Process process;
    private final Process guard;

    private RelayProcess(String name, List<String> properties, String classPath) {
        this.name = name;
        try {
            log = Files.createTempFile(
                    Files.createDirectories(Path.of("target", "relay-processes")), name + "-", ".log");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    classPath,
                    RelayProcessMain.class.getName()));
            command.addAll(properties);
            process = new ProcessBuilder(command)
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            guard = new ProcessBuilder("sh", "-c", GUARD, "guard", Long.toString(process.pid()))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a process; see {@link #awaitReady()}.
     *
     * @param name for the log, and the application name of its database sessions
     */
    public static RelayProcess start(String name, TestService.Builder service) {
        return startWithout(archive -> false, name, service);
    }

    /** Starts a process whose class path lacks some archives, told by their file names. */
    public static RelayProcess startWithout(Predicate<String> archives, String name, TestService.Builder service) {
        List<String> properties = new ArrayList<>();
        service.with("spring.datasource.hikari.data-source-properties.ApplicationName", name);
        service.properties().forEach((property, value) -> properties.add("--" + property + "=" + value));
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !archives.test(Path.of(entry).getFileName().toString()))
                .collect(Collectors.joining(File.pathSeparator));
        return new RelayProcess(name, properties, classPath);
    }

    /** Returns when the service has started, and its relay with it. */
    public RelayProcess awaitReady() {
        Awaitility.await(name + " is ready").atMost(BOUND).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(name + " ended with exit code " + process.exitValue() + ":\n" + log());
            }
            return log().contains(RelayProcessMain.READY);
        });
        return this;
    }

    /** How many messages it has published and marked as such. */
    public int published() {
        return PUBLISHED
                .matcher(log())
                .results()
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .sum();
    }

    /** What it has written to its log. */
    public String log() {
        try {
            return new String(Files.readAllBytes(log), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code kill -9}; returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Asks it to end (SIGTERM), and returns when it has. */
    public void terminate() {
        process.destroy();
        awaitEnd();
    }

    /** Stops it without ending it (SIGSTOP): its connections stay open. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets a frozen one go on (SIGCONT). */
    public void thaw() {
        signal("CONT");
    }

    /** Kills it if it runs, frozen or not. */
    @Override
    public void close() {
        kill();
    }

    private void awaitEnd() {
        waitFor(process);
        // The process id is free now, and may be another's soon.
        guard.destroyForcibly();
        waitFor(guard);
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid())).start();
            waitFor(kill);
            if (kill.exitValue() != 0) {
                throw new IllegalStateException(name + " did not get the signal " + signal);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void waitFor(Process ending) {
        try {
            if (!ending.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("Still running after " + BOUND + ": " + name + "\n" + log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + name, e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
