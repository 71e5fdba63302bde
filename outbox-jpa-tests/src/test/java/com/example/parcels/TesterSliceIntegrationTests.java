package com.example.parcels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testkit.AutoConfigureOutboxTester;
import dev.outbox.testkit.OutboxTester;
import dev.outbox.testkit.StoredMessage;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jpa.test.autoconfigure.TestEntityManager;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** {@code @DataJpaTest} with the test kit: a service that writes, in the test's own transaction, and no broker. */
@DataJpaTest
@AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
@AutoConfigureOutboxTester
@Import(ParcelService.class)
class TesterSliceIntegrationTests {

    @Autowired
    private ParcelService parcels;

    @Autowired
    private OutboxTester outbox;

    @Autowired
    private TestEntityManager entities;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        Servers.database(registry);
    }

    @Test
    void theServiceWritesItsMessages() {
        parcels.send(1);
        parcels.deliver(1);

        assertThat(outbox.written()).extracting(StoredMessage::type).containsExactly("ParcelSent", "ParcelDelivered");
        assertThat(entities.find(Parcel.class, 1L).status()).isEqualTo("DELIVERED");
    }

    @Test
    void whatAnotherTestWroteIsRolledBack() {
        parcels.send(1);

        assertThat(outbox.written()).extracting(StoredMessage::type).containsExactly("ParcelSent");
    }
}
