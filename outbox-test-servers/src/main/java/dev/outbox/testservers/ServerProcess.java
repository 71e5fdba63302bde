package dev.outbox.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The process of a server, which can be started again after its end. */
final class ServerProcess {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final String name;
    private final ServerDirectory directory;
    private final ServerLog log;
    private @Nullable Process process;

    ServerProcess(String name, ServerDirectory directory) {
        this.name = name;
        this.directory = directory;
        this.log = ServerLog.named(directory.name());
    }

    /** Runs a command that prepares the server, to its end. */
    void prepare(List<String> command) {
        Process preparation = launch(command);
        if (!endsWithin(preparation, BOUND)) {
            preparation.destroyForcibly();
            throw failure("could not be prepared within " + BOUND);
        }
        if (preparation.exitValue() != 0) {
            throw failure("could not be prepared: exit code " + preparation.exitValue());
        }
    }

    /** Starts the process and returns when it is ready. */
    synchronized void start(List<String> command, BooleanSupplier ready) {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException(name + " runs already");
        }
        Process started = launch(command);
        process = started;
        directory.serverStarted(started.pid());
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!ready.getAsBoolean()) {
            if (endsWithin(started, Duration.ofMillis(20))) {
                throw failure("ended with exit code " + started.exitValue());
            }
            if (System.nanoTime() - deadline > 0) {
                kill();
                throw failure("was not ready within " + BOUND);
            }
        }
    }

    private Process launch(List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.redirect())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " could not be started", e);
        }
    }

    /** {@code kill -9} of the process and of all below it; returns when they are gone. */
    synchronized void kill() {
        Process killed = running();
        List<ProcessHandle> below = killed.descendants().toList();
        killed.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        awaitEnd(killed, below);
    }

    /** Sends a signal upon which the process ends by itself; returns when it and all below it are gone. */
    synchronized void end(String signal) {
        Process ending = running();
        List<ProcessHandle> below = ending.descendants().toList();
        signal(signal);
        awaitEnd(ending, below);
    }

    /** Sends a signal, by its name without SIG. */
    synchronized void signal(String signal) {
        try {
            Process kill = new ProcessBuilder(
                            "kill", "-s", signal, Long.toString(running().pid()))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (!endsWithin(kill, BOUND) || kill.exitValue() != 0) {
                throw failure("did not get the signal " + signal);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the process without ending it, and returns when all its threads stand still: the signal is asynchronous. */
    synchronized void freeze() {
        signal("STOP");
        Poll.until(BOUND, name + " stands still", () -> state().startsWith("T"));
    }

    /** The letter that {@code ps} has for what the process does. */
    private String state() {
        try {
            Process ps = new ProcessBuilder(
                            "ps", "-o", "state=", "-p", Long.toString(running().pid()))
                    .redirectError(Redirect.DISCARD)
                    .start();
            return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitEnd(Process ending, List<ProcessHandle> below) {
        if (!endsWithin(ending, BOUND)) {
            throw failure("did not end within " + BOUND);
        }
        Poll.until(
                BOUND, "all processes of " + name + " end", () -> below.stream().allMatch(ServerProcess::isGone));
        directory.serverEnded();
    }

    /** An orphan may stay in the table of processes when nobody collects its exit code; it has no program then. */
    private static boolean isGone(ProcessHandle handle) {
        return !handle.isAlive() || handle.info().command().isEmpty();
    }

    private boolean endsWithin(Process waitedFor, Duration bound) {
        try {
            return waitedFor.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + name, e);
        }
    }

    private Process running() {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException(name + " does not run");
        }
        return process;
    }

    private IllegalStateException failure(String what) {
        return new IllegalStateException(name + " " + what + "; " + log.describe());
    }
}
