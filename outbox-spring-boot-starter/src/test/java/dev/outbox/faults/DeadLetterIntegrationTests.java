package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.MessageDescription;
import dev.outbox.OutboxListener;
import dev.outbox.OutboxOperations;
import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Reason;
import dev.outbox.RetryPolicy;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** A message that cannot be published becomes a dead letter, and its key goes on or waits for an operator. */
class DeadLetterIntegrationTests {

    private final Kafka kafka = TestServers.kafka();
    private final Stage stage = Stage.on(kafka);
    private final String topic = Topics.create(kafka, "dead-letters");
    private final Rows rows = new Rows(stage, kafka, topic);

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void afterItsLastAttemptAMessageIsDeadAndItsKeyGoesOn() {
        rows.good("k", 1, 2);
        rows.bad("k", 3);
        rows.good("k", 4, 5);
        rows.good("other", 1);
        try (TestService relay = quick("relay").with(Outcomes.Recording.class).start()) {
            rows.awaitPublished(5);
            assertThat(rows.published("k")).containsExactly("1", "2", "4", "5");

            Map<String, Object> dead = rows.row("k", 3);
            assertThat(dead.get("attempts")).isEqualTo(3);
            assertThat(dead.get("dead_at")).isNotNull();
            assertThat(dead.get("next_attempt_at")).isNull();
            assertThat(dead.get("last_error")).asString().startsWith("IllegalArgumentException: ");
            assertThat(dead.get("blocked_by")).isNull();
            assertThat(stage.writer().jdbc().queryForList("SELECT message_id FROM outbox_dead_letters", UUID.class))
                    .containsExactly((UUID) dead.get("message_id"));
            assertThat(rows.count("attempts > 0")).isEqualTo(1);

            Outcomes outcomes = relay.bean(Outcomes.class);
            outcomes.awaitDead(1);
            assertThat(outcomes.failed).extracting(PublishFailure::attempts).containsExactly(1, 2);
            assertThat(outcomes.delays)
                    .allSatisfy(delay -> assertThat(delay).isBetween(Duration.ZERO, Duration.ofMillis(20)));
            PublishFailure death = outcomes.dead.get(0);
            assertThat(outcomes.dead).hasSize(1);
            assertThat(death.attempts()).isEqualTo(3);
            assertThat(death.reason()).isEqualTo(Reason.MALFORMED);
            assertThat(death.error()).isEqualTo(dead.get("last_error"));
            assertThat(death.message())
                    .isEqualTo(new MessageDescription(
                            (UUID) dead.get("message_id"),
                            (long) dead.get("id"),
                            topic,
                            "k",
                            null,
                            null,
                            "Tested",
                            death.message().createdAt()));
            assertThat(outcomes.published)
                    .extracting(MessageDescription::sequence)
                    .containsExactlyInAnyOrder(1L, 2L, 4L, 5L, 6L);
        }
    }

    @Test
    void aBlockedKeyWaitsForAnOperatorAndNobodyElseDoes() {
        rows.good("k", 1, 2);
        rows.bad("k", 3);
        rows.good("k", 4, 5);
        try (TestService relay = blocking("relay").start()) {
            rows.awaitDead(1);
            rows.awaitPutAside(2);
            rows.good("k", 6);
            // More than enough to have some in each lane.
            IntStream.range(0, 640).forEach(key -> rows.good("other-" + key, 1));
            rows.awaitPutAside(3);
            rows.awaitPublished(642);
            assertThat(rows.row("k", 3).get("blocked_by"))
                    .isEqualTo(rows.row("k", 3).get("id"));
        }
        // Neither the end of that relay nor another setting changes it.
        try (TestService next = quick("next").start();
                TestService another = blocking("another").start()) {
            rows.good("k", 7);
            rows.good("other-1", 2);
            rows.awaitPublished(643);
            rows.awaitPutAside(4);

            rows.mend();
            assertThat(another.bean(OutboxOperations.class).retry(id("k", 3))).isTrue();
            rows.good("k", 8);
            rows.awaitPublished(649);
            assertThat(rows.published("k")).containsExactly("1", "2", "3", "4", "5", "6", "7", "8");
            assertThat(rows.count("blocked_by IS NOT NULL")).isZero();
            // Nothing has overtaken it.
            assertThat(Topics.read(kafka, topic))
                    .allSatisfy(record -> assertThat(record.headers().headers("outbox_retried"))
                            .isEmpty());
        }
    }

    @Test
    void aBlockedKeyGoesOnWithoutADiscardedMessage() {
        rows.good("k", 1, 2);
        rows.bad("k", 3);
        rows.good("k", 4, 5);
        try (TestService relay = blocking("relay").start()) {
            rows.awaitDead(1);
            rows.awaitPutAside(2);
            assertThat(relay.bean(OutboxOperations.class).discard(id("k", 3))).isTrue();

            rows.awaitPublished(4);
            assertThat(rows.published("k")).containsExactly("1", "2", "4", "5");
            Map<String, Object> discarded = rows.row("k", 3);
            assertThat(discarded.get("dead_at")).isNotNull();
            assertThat(discarded.get("discarded_at")).isNotNull();
            assertThat(stage.writer().jdbc().queryForList("SELECT id FROM outbox_dead_letters"))
                    .isEmpty();
        }
    }

    @Test
    void aMessageWithoutAKeyBlocksNobody() {
        stage.writer().jdbc().update("INSERT INTO outbox_message (topic, headers) VALUES (?, '[1]')", topic);
        stage.writer().jdbc().update("INSERT INTO outbox_message (topic, payload) VALUES (?, '2')", topic);
        try (TestService relay = blocking("relay").start()) {
            rows.awaitDead(1);
            rows.awaitPublished(1);
            assertThat(rows.count("blocked_by IS NOT NULL")).isZero();
        }
    }

    @Test
    void aMessageThatDiesAgainBlocksItsKeyAgain() {
        rows.bad("k", 1);
        rows.good("k", 2);
        try (TestService relay =
                blocking("relay").with(Outcomes.Recording.class).start()) {
            rows.awaitPutAside(1);
            assertThat(relay.bean(OutboxOperations.class).retry(id("k", 1))).isTrue();

            relay.bean(Outcomes.class).awaitDead(2);
            rows.awaitPutAside(1);
            assertThat(rows.row("k", 1).get("attempts")).isEqualTo(3);
            assertThat(rows.count("published_at IS NOT NULL")).isZero();
        }
    }

    @Test
    void theRecordOfARetriedMessageSaysThatItMayBeLate() {
        rows.good("k", 1, 2);
        rows.bad("k", 3);
        rows.good("k", 4);
        try (TestService relay = quick("relay").start()) {
            rows.awaitPublished(3);
            rows.mend();
            Instant before = stage.writer().jdbc().queryForObject("SELECT clock_timestamp()", Instant.class);
            assertThat(relay.bean(OutboxOperations.class).retry(id("k", 3))).isTrue();
            rows.awaitPublished(4);

            assertThat(rows.published("k")).containsExactly("1", "2", "4", "3");
            for (ConsumerRecord<byte[], byte[]> record : Topics.read(kafka, topic)) {
                if ("3".equals(Topics.value(record))) {
                    assertThat(Instant.parse(Topics.header(record, "outbox_retried")))
                            .isBetween(before, before.plusSeconds(120));
                } else {
                    assertThat(record.headers().headers("outbox_retried")).isEmpty();
                }
            }
            assertThat(rows.row("k", 3).get("attempts")).isEqualTo(0);
            assertThat(rows.row("k", 3).get("last_error")).isNull();
        }
    }

    @Test
    void theApplicationsPolicyDecidesAndItsFailuresAndThoseOfListenersHarmNobody() {
        rows.bad("give-up", 1);
        rows.bad("break", 1);
        rows.good("break", 2);
        rows.bad("nonsense", 1);
        try (TestService relay = quick("relay")
                .with(Outcomes.Recording.class)
                .with(OddApplication.class)
                .start()) {
            Outcomes outcomes = relay.bean(Outcomes.class);
            outcomes.awaitDead(3);
            rows.awaitPublished(1);
            rows.good("give-up", 2);
            rows.awaitPublished(2);
            assertThat(rows.row("give-up", 1).get("attempts")).isEqualTo(1);
            // The default decides in the place of a policy that fails.
            assertThat(rows.row("break", 1).get("attempts")).isEqualTo(3);
            assertThat(rows.row("nonsense", 1).get("attempts")).isEqualTo(3);
        }
    }

    private UUID id(String key, int number) {
        return (UUID) rows.row(key, number).get("message_id");
    }

    private TestService.Builder quick(String name) {
        return stage.relay(name)
                .with("outbox.relay.retry.max-attempts", 3)
                .with("outbox.relay.retry.initial-delay", "10ms");
    }

    private TestService.Builder blocking(String name) {
        return quick(name).with("outbox.relay.on-dead-letter", "block");
    }

    @Configuration(proxyBeanMethods = false)
    static class OddApplication {

        @Bean
        RetryPolicy retryPolicy() {
            return failure -> switch (String.valueOf(failure.message().key())) {
                case "give-up" -> Optional.empty();
                case "nonsense" -> Optional.of(Duration.ofDays(-1));
                default -> throw new IllegalStateException("The policy is broken");
            };
        }

        @Bean
        @Order(1) // before the one that writes down
        OutboxListener broken() {
            return new OutboxListener() {
                @Override
                public void published(MessageDescription message) {
                    throw new IllegalStateException("The listener is broken");
                }

                @Override
                public void failed(PublishFailure failure, Duration nextAttempt) {
                    throw new AssertionError("The listener is broken");
                }

                @Override
                public void dead(PublishFailure failure) {
                    throw new NoClassDefFoundError("The listener is broken");
                }

                @Override
                public void batchCompleted(Batch batch) {
                    throw new IllegalStateException("The listener is broken");
                }
            };
        }
    }
}
