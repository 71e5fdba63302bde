package com.example.orders.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.orders.DevServers;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import dev.outbox.testkit.AutoConfigureOutboxTester;
import dev.outbox.testkit.OutboxTester;
import dev.outbox.testkit.StoredMessage;
import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.transaction.support.TransactionTemplate;

/** Kafka delivers at least once, and the summary counts each event once. */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureOutboxTester
@Import(DevServers.class)
@DirtiesContext
class RepeatedEventIntegrationTests {

    @Autowired
    private OutboxWriter writer;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private OutboxTester outbox;

    @Autowired
    private CustomerSummaryRepository summaries;

    @Test
    void anEventThatIsDeliveredAgainIsNotCountedAgain() {
        write("OrderCreated", "42.50");
        StoredMessage created = outbox.publishAll().get(0);
        awaitSummary(1, "42.50");

        outbox.publishAgain(created);
        // Has the same key, so it arrives after the repeat.
        write("OrderCreated", "7.50");
        outbox.publishAll();

        awaitSummary(2, "50.00");
    }

    private void write(String type, String amount) {
        transaction.executeWithoutResult(status -> writer.write(OutboxMessage.to("order.events")
                .key("same")
                .type(type)
                .payload(new OrderEvent("bob", new BigDecimal(amount)))));
    }

    private void awaitSummary(long count, String total) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(summaries.find("bob"))
                        .contains(new CustomerSummary("bob", count, new BigDecimal(total))));
    }
}
