package dev.outbox.faults;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/** What the relays of this JVM log: the one place where they say that they know of an outage. */
final class RelayLogLines implements AutoCloseable {

    static final String BROKER_DOWN = "Kafka does not answer";
    static final String BROKER_BACK = "Kafka answers again";

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.outbox.relay.OutboxRelay");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender;

    private RelayLogLines(Consumer<String> each) {
        appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                each.accept(event.getFormattedMessage());
                lines.add(event.getFormattedMessage());
            }
        };
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    static RelayLogLines record() {
        return new RelayLogLines(line -> {});
    }

    /** Also gives each line to a consumer, in the relay's thread. */
    static RelayLogLines record(Consumer<String> each) {
        return new RelayLogLines(each);
    }

    void await(String start) {
        await(start, 1);
    }

    void await(String start, int times) {
        Awaitility.await("relay logs " + start)
                .atMost(Stage.BOUND)
                .until(() ->
                        lines.stream().filter(line -> line.startsWith(start)).count() >= times);
    }

    /** Waits for one of several lines. */
    void awaitAny(String... starts) {
        Awaitility.await("relay logs one of " + List.of(starts))
                .atMost(Stage.BOUND)
                .until(() -> lines.stream().anyMatch(line -> Stream.of(starts).anyMatch(line::startsWith)));
    }

    /** What was logged so far. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        appender.stop();
    }
}
