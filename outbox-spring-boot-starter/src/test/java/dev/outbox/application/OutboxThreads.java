package dev.outbox.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The threads that the outbox has started since a moment, those of its Kafka clients included. */
final class OutboxThreads {

    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Contexts that other tests of this JVM keep in a cache may have some. */
    private final Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());

    private OutboxThreads() {}

    static OutboxThreads sinceNow() {
        return new OutboxThreads();
    }

    List<String> names() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.contains("outbox"))
                .sorted()
                .toList();
    }

    /** How many relays there are. */
    long relays() {
        return names().stream().filter("outbox-relay"::equals).count();
    }

    void awaitEnd() {
        await().atMost(BOUND).untilAsserted(() -> assertThat(names()).isEmpty());
    }
}
