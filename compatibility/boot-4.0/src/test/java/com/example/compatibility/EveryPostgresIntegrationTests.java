package com.example.compatibility;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.outbox.testservers.OwnPostgres;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootVersion;
import org.springframework.kafka.core.KafkaTemplate;

/** From the transaction to the shipment, on each PostgreSQL that the starter is said to work with. */
@ParameterizedClass(name = "PostgreSQL {0}")
@ValueSource(ints = {14, 15, 16, 17, 18})
class EveryPostgresIntegrationTests {

    private static final Logger log = LoggerFactory.getLogger(EveryPostgresIntegrationTests.class);

    private static final Duration BOUND = Duration.ofSeconds(60);

    private static OwnPostgres postgres;
    private static StartedService service;

    @Parameter
    private int version;

    @BeforeParameterizedClassInvocation
    static void start(int version) {
        postgres = OwnPostgres.start(PostgresVersions.binaries(version));
        service = StartedService.start(postgres, postgres.createDatabase(), StartedService.newTopic());
        // The reports of the tests do not tell the versions apart.
        log.info(
                "PostgreSQL {}, Spring Boot {}, Java {}",
                service.query("SHOW server_version", String.class),
                SpringBootVersion.getVersion(),
                Runtime.version());
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        try (OwnPostgres database = postgres;
                StartedService user = service) {
            postgres = null;
            service = null;
        }
    }

    @Test
    void theServerIsOfThatVersion() {
        assertThat(service.query("SHOW server_version_num", Integer.class) / 10_000)
                .isEqualTo(version);
    }

    @Test
    void ordersArriveInOrderWithTheirHeaders() {
        List<UUID> ids = new ArrayList<>();
        List<String> events = new ArrayList<>();
        for (int number = 1; number <= 50; number++) {
            ids.add(service.orders().place("alice", number));
            events.add(event("alice", number));
        }

        awaitShipment("alice", 50);
        assertThat(service.shipments())
                .filteredOn(event -> event.contains("alice"))
                .isEqualTo(events);
        List<ConsumerRecord<byte[], byte[]>> records = recordsOf("alice");
        assertThat(records).extracting(record -> text(record.value())).isEqualTo(events);
        assertThat(records)
                .extracting(record -> UUID.fromString(header(record, "event_id")))
                .isEqualTo(ids);
        assertThat(records)
                .extracting(record -> Long.valueOf(header(record, "outbox_sequence")))
                .isSorted();
        assertThat(records).allSatisfy(record -> {
            assertThat(header(record, "event_type")).isEqualTo("OrderPlaced");
            assertThat(header(record, "aggregate_type")).isEqualTo("customer");
            assertThat(header(record, "aggregate_id")).isEqualTo("alice");
            assertThat(header(record, "content_type")).isEqualTo("application/json");
            assertThat(header(record, "tenant")).isEqualTo("north");
            assertThat(Instant.parse(header(record, "event_time"))).isBeforeOrEqualTo(Instant.now());
        });
    }

    @Test
    void anOrderThatIsRolledBackIsNotPublished() {
        assertThatIllegalStateException()
                .isThrownBy(() -> service.orders().placeAndFail("bob", 1))
                .withMessage("after the write");
        service.orders().place("bob", 2);

        awaitShipment("bob", 2);
        assertThat(recordsOf("bob")).extracting(record -> text(record.value())).containsExactly(event("bob", 2));
    }

    @Test
    @SuppressWarnings("unchecked")
    void aRepeatIsShippedOnce() throws Exception {
        service.orders().place("carol", 1);
        awaitShipment("carol", 1);
        ConsumerRecord<byte[], byte[]> first = recordsOf("carol").get(0);
        ProducerRecord<String, String> repeat =
                new ProducerRecord<>(service.topic(), text(first.key()), text(first.value()));
        for (Header header : first.headers()) {
            repeat.headers().add(header);
        }
        KafkaTemplate<String, String> template = service.bean(KafkaTemplate.class);
        template.send(repeat).get();

        service.orders().place("carol", 2);
        awaitShipment("carol", 2);
        assertThat(recordsOf("carol")).hasSize(3);
        assertThat(service.shipments())
                .filteredOn(event -> event.contains("carol"))
                .containsExactly(event("carol", 1), event("carol", 2));
    }

    @Test
    void whatIsPublishedIsMarkedAndCounted() {
        service.orders().place("dave", 1);

        await().atMost(BOUND).untilAsserted(() -> {
            assertThat(count("published_at IS NULL")).isZero();
            assertThat(service.bean(MeterRegistry.class)
                            .get("outbox.events.published")
                            .counter()
                            .count())
                    .isEqualTo((double) count("true"))
                    .isPositive();
        });
    }

    private static void awaitShipment(String customer, int number) {
        await().atMost(BOUND).until(() -> service.shipments().contains(event(customer, number)));
    }

    private static String event(String customer, int number) {
        return "{\"customer\":\"%s\",\"number\":%d}".formatted(customer, number);
    }

    private static List<ConsumerRecord<byte[], byte[]>> recordsOf(String customer) {
        Stream<ConsumerRecord<byte[], byte[]>> records = service.records().stream();
        return records.filter(record -> text(record.key()).equals(customer)).toList();
    }

    private static long count(String condition) {
        return service.query("SELECT count(*) FROM outbox_message WHERE " + condition, Long.class);
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        return text(record.headers().lastHeader(name).value());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
