package com.example.parcels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.outbox.OutboxTransactionException;
import dev.outbox.testkit.AutoConfigureOutboxTester;
import dev.outbox.testkit.OutboxTester;
import dev.outbox.testkit.StoredMessage;
import dev.outbox.testservers.TestServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The outbox in a service with Spring Data JPA, as Boot sets that up: an entity and its messages stand or fall together. */
@SpringBootTest
@AutoConfigureOutboxTester
class ParcelServiceIntegrationTests {

    private static final Duration READ = Duration.ofMinutes(1);

    @Autowired
    private ParcelService parcels;

    @Autowired
    private OutboxTester outbox;

    @Autowired
    private JdbcClient jdbc;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        Servers.database(registry);
        registry.add("spring.kafka.bootstrap-servers", TestServers.kafka()::bootstrapServers);
        TestServers.kafka().createTopic(ParcelService.TOPIC, 1, Map.of());
    }

    @BeforeEach
    void empty() {
        outbox.clear();
        jdbc.sql("DELETE FROM parcel").update();
    }

    @Test
    void theEntityAndItsMessageAreOfOneTransaction() {
        parcels.send(1);
        assertThat(transactionOfMessage("ParcelSent")).isEqualTo(transactionOfParcel(1));

        parcels.deliver(1);
        assertThat(transactionOfMessage("ParcelDelivered")).isEqualTo(transactionOfParcel(1));
    }

    @Test
    void anEntityThatIsRolledBackLeavesNoMessage() {
        assertThatIllegalStateException().isThrownBy(() -> parcels.sendAndFail(2));

        assertThat(outbox.written()).isEmpty();
        assertThat(parcelCount()).isZero();
    }

    @Test
    void aReadOnlyTransactionIsRefused() {
        parcels.send(3);
        outbox.clear();

        assertThatExceptionOfType(OutboxTransactionException.class)
                .isThrownBy(() -> parcels.tellWhileReading(3))
                .withMessageContaining("read-only");
        assertThat(outbox.written()).isEmpty();
    }

    @Test
    void theMessagesArePublishedInTheirOrder() {
        parcels.send(4);
        parcels.deliver(4);

        assertThat(outbox.publishAll())
                .extracting(StoredMessage::type)
                .containsExactly("ParcelSent", "ParcelDelivered");
        assertThat(TestServers.kafka().readAll(ParcelService.TOPIC, READ))
                .extracting(kafka -> text(kafka.key()), kafka -> text(kafka.value()))
                .containsExactly(tuple("4", "{\"status\":\"SENT\"}"), tuple("4", "{\"status\":\"DELIVERED\"}"));
    }

    /** The transaction that wrote the row last, as the database counts them. */
    private String transactionOfMessage(String type) {
        return jdbc.sql("SELECT xmin::text FROM outbox_message WHERE event_type = ?")
                .param(type)
                .query(String.class)
                .single();
    }

    private String transactionOfParcel(long id) {
        return jdbc.sql("SELECT xmin::text FROM parcel WHERE id = ?")
                .param(id)
                .query(String.class)
                .single();
    }

    private int parcelCount() {
        return jdbc.sql("SELECT count(*) FROM parcel").query(Integer.class).single();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
