package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.example.demo.DemoApplication;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.support.TransactionTemplate;

/** A test may want the whole flow as in production, and look into the outbox all the same. */
@SpringBootTest(classes = DemoApplication.class)
@AutoConfigureOutboxTester(relayAutoStartup = true)
class RunningRelayIntegrationTests {

    @Test
    void messagesGoByThemselvesAndNotByHand(
            @Autowired OutboxWriter writer,
            @Autowired TransactionTemplate transaction,
            @Autowired OutboxTester outbox) {
        transaction.executeWithoutResult(status -> writer.write(
                OutboxMessage.to("order.events").json("{\"orderId\":1,\"customer\":\"dave\",\"amount\":1}")));

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(outbox.published()).hasSize(1));
        assertThatThrownBy(outbox::publishAll)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("outbox.relay.auto-startup=false");
    }
}
