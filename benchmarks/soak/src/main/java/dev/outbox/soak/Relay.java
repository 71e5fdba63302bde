package dev.outbox.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One of the relays, and the supervisor that starts it again, as Kubernetes would. One fault at a time. It may find the
 * database away when it starts, and end; once it was ready, it must never end by itself.
 */
final class Relay {

    private final String name;
    private final List<String> properties;
    private final Path directory;
    private final Journal journal;
    private final ReentrantLock faults = new ReentrantLock();
    private @Nullable RelayProcess process;
    private int starts;
    private int ownEnds;

    /**
     * A relay that is not started yet.
     *
     * @param properties as arguments of its command line
     * @param directory where its logs go, one for each start
     */
    Relay(String name, List<String> properties, Path directory, Journal journal) {
        this.name = name;
        this.properties = properties;
        this.directory = directory;
        this.journal = journal;
    }

    synchronized void start() {
        starts++;
        process = RelayProcess.start(properties, directory.resolve("%s-%03d.log".formatted(name, starts)));
    }

    /** Called now and then: starts it again if it has ended by itself. */
    void supervise() {
        if (!faults.tryLock()) {
            return;
        }
        try {
            RelayProcess current = current();
            if (!current.isAlive()) {
                if (current.wasReady()) {
                    endedByItself();
                    journal.line("VIOLATION " + name + " has ended by itself");
                } else {
                    journal.line(name + " did not come up, started again");
                }
                start();
            }
        } finally {
            faults.unlock();
        }
    }

    private synchronized void endedByItself() {
        ownEnds++;
    }

    /** Whether the process that runs now is up. */
    boolean isReady() {
        return current().wasReady();
    }

    private synchronized RelayProcess current() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process;
    }

    /** {@code kill -9}, and a new one after a while. */
    void killFor(Duration duration) throws InterruptedException {
        faults.lockInterruptibly();
        try {
            current().kill();
            TimeUnit.MILLISECONDS.sleep(duration.toMillis());
            start();
        } finally {
            faults.unlock();
        }
    }

    /** SIGSTOP, and SIGCONT after a while. */
    void freezeFor(Duration duration) throws InterruptedException {
        faults.lockInterruptibly();
        try {
            current().signal("STOP");
            TimeUnit.MILLISECONDS.sleep(duration.toMillis());
            current().signal("CONT");
        } finally {
            faults.unlock();
        }
    }

    /** Whether it ended in time when it was asked to. */
    boolean terminate() throws InterruptedException {
        return current().terminate();
    }

    /** At the end of a run, whatever state it is in. */
    synchronized void kill() {
        if (process != null) {
            process.destroy();
        }
    }

    synchronized int starts() {
        return starts;
    }

    /** How often it has ended without being killed, after it was ready. */
    synchronized int ownEnds() {
        return ownEnds;
    }

    @Override
    public String toString() {
        return name;
    }
}
