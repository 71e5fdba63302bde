package dev.outbox.application;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.LoggingSystem;

/** What is logged below a name, by level and text, also by applications that start meanwhile. */
final class LogLines implements AutoCloseable {

    private final Logger logger;
    private final Level before;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    private LogLines(String name, Level level) {
        logger = (Logger) LoggerFactory.getLogger(name);
        before = logger.getLevel();
        logger.setLevel(level);
        // Spring Boot would set up logging anew, without this appender.
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    static LogLines of(String name, Level level) {
        return new LogLines(name, level);
    }

    List<String> at(Level level) {
        return events.stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        logger.detachAppender(appender);
        logger.setLevel(before);
        appender.stop();
    }
}
