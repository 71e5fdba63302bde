package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

/** A value that cannot work stops the start-up, and says which property it is. */
class OutboxPropertiesTests {

    static final List<Bounds> BOUNDS = List.of(
            new Bounds("outbox.writer.max-message-size", "0B", "1B", "128MB", "131073KB"),
            new Bounds("outbox.relay.poll-interval", "0ms", "1ms", "1h", "3600001ms"),
            new Bounds("outbox.relay.batch-size", "0", "1", "10000", "10001"),
            new Bounds("outbox.relay.batch-bytes", "0B", "1B", "256MB", "262145KB"),
            new Bounds("outbox.relay.publish-timeout", "999ms", "1s", "10m", "600001ms"),
            new Bounds("outbox.relay.shutdown-timeout", "-1ms", "0ms", "10m", "600001ms"),
            new Bounds("outbox.relay.retry.max-attempts", "0", "1", "1000000", "1000001"),
            new Bounds("outbox.relay.retry.initial-delay", "0ms", "1ms", "1d", "25h"),
            new Bounds("outbox.relay.retry.multiplier", "0.99", "1", "100", "100.1"),
            new Bounds("outbox.relay.retry.max-delay", "0ms", "1ms", "1d", "25h"),
            new Bounds("outbox.metrics.sample-interval", "99ms", "100ms", "1h", "3600001ms"));

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withUserConfiguration(Application.class);

    @Test
    void nothingNeedsToBeConfigured() {
        application.run(context -> {
            OutboxProperties properties = context.getBean(OutboxProperties.class);
            assertThat(properties.enabled()).isTrue();
            assertThat(properties.schema()).isNull();
            assertThat(properties.flyway().enabled()).isNull();
            assertThat(properties.dataSource()).isNull();
            assertThat(properties.transactionManager()).isNull();
            assertThat(properties.writer().maxMessageSize()).isEqualTo(DataSize.ofKilobytes(960));
            assertThat(properties.relay().enabled()).isTrue();
            assertThat(properties.relay().pollInterval()).isEqualTo(Duration.ofMillis(500));
            assertThat(properties.relay().retry().maxDelay()).isEqualTo(Duration.ofMinutes(5));
        });
    }

    @ParameterizedTest
    @FieldSource("BOUNDS")
    void whatIsWithinTheBoundsIsTaken(Bounds bounds) {
        for (String value : List.of(bounds.least, bounds.most)) {
            with(bounds.property, value).run(context -> assertThat(context).hasNotFailed());
        }
    }

    @ParameterizedTest
    @FieldSource("BOUNDS")
    void whatIsOutsideTheBoundsIsRefused(Bounds bounds) {
        for (String value : List.of(bounds.below, bounds.above)) {
            with(bounds.property, value)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, e -> {
                                assertThat(e.getName()).isEqualTo(bounds.property);
                                assertThat(e.getReason()).contains("between");
                            }));
        }
    }

    @Test
    void theLargestDelayIsNotBelowTheFirst() {
        application
                .withPropertyValues("outbox.relay.retry.initial-delay=2s", "outbox.relay.retry.max-delay=1999ms")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("outbox.relay.retry.max-delay"));
    }

    @ParameterizedTest
    @CsvSource({
        "outbox.relay.batch-size, many",
        "outbox.relay.poll-interval, soon",
        "outbox.relay.batch-bytes, 8 large ones",
        "outbox.relay.enabled, perhaps",
        "outbox.relay.retry.multiplier, NaN"
    })
    void whatIsNoValueOfItsTypeIsRefused(String property, String value) {
        application
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(property));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "_",
                "Messaging",
                "a$1",
                "a_2",
                "a23456789012345678901234567890123456789012345678901234567890123"
            })
    void aSchemaIsAnIdentifier(String schema) {
        application
                .withPropertyValues("outbox.schema=" + schema)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1a",
                "$a",
                "a-b",
                "a b",
                "a.b",
                "a\"b",
                "a'b",
                "ü",
                "İ",
                "a;DROP SCHEMA public",
                "a234567890123456789012345678901234567890123456789012345678901234"
            })
    void anythingElseIsNoSchema(String schema) {
        application
                .withPropertyValues("outbox.schema=" + schema)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                e -> assertThat(e.getName()).isEqualTo("outbox.schema")));
    }

    /** The largest delay has to follow the first one. */
    private ApplicationContextRunner with(String property, String value) {
        ApplicationContextRunner configured = application.withPropertyValues(property + "=" + value);
        return switch (property) {
            case "outbox.relay.retry.initial-delay" -> configured.withPropertyValues("outbox.relay.retry.max-delay=1d");
            case "outbox.relay.retry.max-delay" ->
                configured.withPropertyValues("outbox.relay.retry.initial-delay=1ms");
            default -> configured;
        };
    }

    record Bounds(String property, String below, String least, String most, String above) {}

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(OutboxProperties.class)
    static class Application {}
}
