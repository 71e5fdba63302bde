package dev.outbox.faults;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
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

    @Override
    public void close() {
        logger.detachAppender(appender);
        appender.stop();
    }
}
