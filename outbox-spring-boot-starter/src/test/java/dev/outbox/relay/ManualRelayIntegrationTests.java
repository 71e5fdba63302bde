package dev.outbox.relay;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.ManualRelay;
import dev.outbox.OutboxListener;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxRelayException;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Where the relay does not start with the application, it publishes when it is told to. */
class ManualRelayIntegrationTests {

    private final Kafka kafka = TestServers.kafka();
    private final String topic = Topics.create(kafka, "manual");

    @Test
    void itPublishesAllThatIsPendingWhenTold() {
        try (TestService service = manual().with("outbox.relay.batch-size", 100).start()) {
            OutboxMessage[] messages = IntStream.range(0, 250)
                    .mapToObj(i -> to(topic).key(i % 7).payload("value-" + i))
                    .toArray(OutboxMessage[]::new);
            List<UUID> ids = service.write(messages);
            ManualRelay relay = service.bean(ManualRelay.class);

            assertThat(service.context().getBean("outboxRelay", Lifecycle.class).isRunning())
                    .isFalse();
            assertThat(relay.publishPending()).isEqualTo(250);

            assertThat(service.pending()).isZero();
            assertThat(Topics.eventIds(kafka, topic)).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(relay.publishPending()).isZero();
        }
    }

    @Test
    void aRelayThatRunsByItselfIsNotRunByHandToo() {
        try (TestService service = TestService.onSharedServers().start()) {
            assertThatThrownBy(service.bean(ManualRelay.class)::publishPending)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("outbox.relay.auto-startup=false");
        }
    }

    @Test
    void aMissingTopicHoldsBackItsOwnMessagesOnly() {
        try (TestService service = manual().start()) {
            service.write(
                    to("there-is-no-such-topic").payload("waits"), to(topic).payload("goes"));

            assertThat(service.bean(ManualRelay.class).publishPending()).isOne();
            assertThat(service.pending()).isOne();

            // What one run learned of a topic does not hold for the next.
            kafka.createTopic("there-is-no-such-topic", 1, Map.of());
            assertThat(service.bean(ManualRelay.class).publishPending()).isOne();
        }
    }

    @Test
    void aTopicWhoseLookUpTakesLongerIsWaitedFor() {
        try (TestService service = manual().start()) {
            // As many as are looked up at a time, each until it times out.
            service.write(IntStream.range(0, 8)
                    .mapToObj(i -> to("missing-" + i).payload("waits"))
                    .toArray(OutboxMessage[]::new));
            service.write(to(topic).payload("goes"));

            assertThat(service.bean(ManualRelay.class).publishPending()).isOne();
            assertThat(service.pending()).isEqualTo(8);
        }
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aTopicThatIsNoLongerAskedForDoesNotKeepItForEver() {
        try (TestService service = manual().with(DeleteAfterFirstBatch.class).start()) {
            service.write(to("no-such-topic").payload("is deleted while its topic is looked up"));

            assertThat(service.bean(ManualRelay.class).publishPending()).isZero();
        }
    }

    @Test
    void whatIsNotAcknowledgedTogetherIsSentOneByOne() {
        // Smaller than what the producer sends at once: it neither gets through nor is it told why.
        String small = Topics.create(kafka, "small", 1, Map.of("max.message.bytes", "20000"));
        try (TestService service = manual().start()) {
            service.write(IntStream.range(0, 60)
                    .mapToObj(i -> to(small).key("k").payload("x".repeat(1_000)))
                    .toArray(OutboxMessage[]::new));

            assertThat(service.bean(ManualRelay.class).publishPending()).isEqualTo(60);
        }
    }

    @Test
    void aBrokerThatIsNotThereIsReportedAndNoAttemptCounted() {
        try (TestService service =
                manual().with("spring.kafka.bootstrap-servers", "localhost:1").start()) {
            service.write(to(topic).payload("waits"));

            assertThatThrownBy(service.bean(ManualRelay.class)::publishPending)
                    .isInstanceOf(OutboxRelayException.class)
                    .hasMessageContaining("Kafka does not answer")
                    .hasMessageContaining("spring.kafka.bootstrap-servers")
                    .hasCauseInstanceOf(Throwable.class);
            assertThat(service.jdbc().queryForObject("SELECT attempts FROM outbox_message", Integer.class))
                    .isZero();
        }
    }

    @Test
    void aDatabaseThatFailsIsReported() {
        try (TestService service = manual().start()) {
            service.jdbc().execute("ALTER TABLE outbox_lane RENAME TO gone");

            assertThatThrownBy(service.bean(ManualRelay.class)::publishPending)
                    .isInstanceOf(OutboxRelayException.class)
                    .hasMessageContaining("database failed")
                    .hasMessageContaining("outbox_lane");
        }
    }

    private static TestService.Builder manual() {
        return TestService.onSharedServers().with("outbox.relay.auto-startup", false);
    }

    @Configuration(proxyBeanMethods = false)
    static class DeleteAfterFirstBatch {

        @Bean
        OutboxListener deleteMessages(JdbcTemplate jdbc) {
            return new OutboxListener() {
                @Override
                public void batchCompleted(Batch batch) {
                    jdbc.update("DELETE FROM outbox_message");
                }
            };
        }
    }
}
