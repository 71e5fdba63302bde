package dev.outbox.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A server's process, which can be started again after its end, and its log. */
final class ServerProcess {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int LOG_LINES_SHOWN = 30;

    private final String name;
    private final ServerDirectory directory;
    private final Path log;
    private @Nullable Process process;

    ServerProcess(String name, ServerDirectory directory) {
        this.name = name;
        this.directory = directory;
        this.log =
                logDirectory().resolve(directory.path().getFileName() + ".log").toAbsolutePath();
    }

    /** A file under target outlives the directory, so that the log of a failed test can be read. */
    private static Path logDirectory() {
        try {
            Path target = Path.of("target");
            return Files.isDirectory(target)
                    ? Files.createDirectories(target.resolve("test-servers"))
                    : Path.of(System.getProperty("java.io.tmpdir"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the process and returns when it is ready. */
    void start(List<String> command, BooleanSupplier ready) {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException(name + " runs already");
        }
        Process started = launch(command);
        process = started;
        directory.serverStarted(started.pid());
        long deadline = System.nanoTime() + BOUND.toNanos();
        try {
            while (!ready.getAsBoolean()) {
                if (started.waitFor(20, TimeUnit.MILLISECONDS)) {
                    throw failure("ended with exit code " + started.exitValue());
                }
                if (System.nanoTime() - deadline > 0) {
                    kill();
                    throw failure("was not ready within " + BOUND);
                }
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
            throw failure("was interrupted while it started");
        }
    }

    /** Runs a command that prepares the server, to its end. */
    void prepare(List<String> command) {
        Process preparation = launch(command);
        try {
            if (!preparation.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                preparation.destroyForcibly();
                throw failure("could not be prepared within " + BOUND);
            }
        } catch (InterruptedException e) {
            preparation.destroyForcibly();
            Thread.currentThread().interrupt();
            throw failure("was interrupted while it was prepared");
        }
        if (preparation.exitValue() != 0) {
            throw failure("could not be prepared: exit code " + preparation.exitValue() + " of " + command.get(0));
        }
    }

    private Process launch(List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .directory(directory.path().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " could not be started", e);
        }
    }

    /** {@code kill -9} of the process and of all below it; returns when they are gone. */
    void kill() {
        Process killed = running();
        List<ProcessHandle> below = killed.descendants().toList();
        killed.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        ended(killed, below);
    }

    /** Sends a signal upon which the process ends by itself; returns when it and all below it are gone. */
    void end(String signal) {
        Process ending = running();
        List<ProcessHandle> below = ending.descendants().toList();
        signal(signal);
        ended(ending, below);
    }

    /** Sends a signal, by its name without SIG. */
    void signal(String signal) {
        try {
            Process kill = new ProcessBuilder(
                            "kill", "-s", signal, Long.toString(running().pid()))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (kill.waitFor() != 0) {
                throw failure("did not get the signal " + signal);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("was interrupted");
        }
    }

    private void ended(Process gone, List<ProcessHandle> below) {
        try {
            if (!gone.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                throw failure("did not end within " + BOUND);
            }
            for (ProcessHandle handle : below) {
                handle.onExit().get(BOUND.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("was interrupted while it ended");
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("A process of " + name + " did not end", e);
        }
        directory.serverEnded();
    }

    private Process running() {
        Process current = process;
        if (current == null || !current.isAlive()) {
            throw new IllegalStateException(name + " does not run");
        }
        return current;
    }

    private IllegalStateException failure(String what) {
        return new IllegalStateException(name + " " + what + "; its log is " + log + " and ends with:\n" + logEnd());
    }

    private String logEnd() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
        } catch (IOException e) {
            return "(not readable: " + e + ")";
        }
    }
}
