package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.outbox.kafka.RelayKafka;
import dev.outbox.kafka.RelayProducer;
import dev.outbox.test.TestService;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the order of messages rests on at the producer, as Kafka itself reports it. */
class ProducerSettingsIntegrationTests {

    @Test
    void theOrderSettingsHoldWhateverTheApplicationConfiguredForItself() {
        TestService.Builder hostile = TestService.onSharedServers();
        Map.of(
                        "acks", "0",
                        "enable.idempotence", "false",
                        "max.in.flight.requests.per.connection", "5",
                        "retries", "0",
                        "batch.size", "0",
                        "delivery.timeout.ms", "1",
                        "partitioner.class", "org.apache.kafka.clients.producer.RoundRobinPartitioner",
                        "partitioner.ignore.keys", "true",
                        "interceptor.classes", "no.such.Interceptor",
                        "transactional.id", "mine")
                .forEach((name, value) -> hostile.with("spring.kafka.producer.properties." + name, value));
        try (TestService service = hostile.start();
                RelayProducer producer = service.bean(RelayKafka.class).producer(Duration.ofSeconds(10), 8_000_000)) {
            Map<String, String> settings = reported(producer);

            assertThat(settings)
                    .containsEntry("acks", "-1")
                    .containsEntry("enable.idempotence", "true")
                    .containsEntry("max.in.flight.requests.per.connection", "1")
                    .containsEntry("retries", "2147483647")
                    .containsEntry("partitioner.class", "null")
                    .containsEntry("partitioner.ignore.keys", "false")
                    .containsEntry("interceptor.classes", "[]")
                    .containsEntry("transactional.id", "null");
            assertThat(Integer.parseInt(settings.get("batch.size"))).isBetween(128 * 1024, 1024 * 1024 - 1);
            assertThat(Integer.parseInt(settings.get("delivery.timeout.ms"))).isGreaterThan(10_000);
            assertThat(Integer.parseInt(settings.get("max.block.ms"))).isBetween(1, 1_000);
            assertThat(Integer.parseInt(settings.get("request.timeout.ms"))).isLessThan(10_000);
            assertThat(Long.parseLong(settings.get("buffer.memory"))).isGreaterThan(8_000_000);
        }
    }

    private static Map<String, String> reported(RelayProducer producer) {
        Logger logger = (Logger) LoggerFactory.getLogger(AbstractConfig.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        lines.start();
        logger.addAppender(lines);
        try {
            producer.get();
        } finally {
            logger.detachAppender(lines);
            logger.setAdditive(true);
            logger.setLevel(before);
        }
        assertThat(lines.list).hasSize(1);
        return lines.list
                .get(0)
                .getFormattedMessage()
                .lines()
                .map(String::strip)
                .filter(line -> line.contains(" = "))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(" = ")),
                        line -> line.substring(line.indexOf(" = ") + 3)));
    }
}
