package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.junit.jupiter.api.Test;

/** A relay that the broker does not let in pauses as in any other outage, and tells nobody its password. */
class WrongCredentialsIntegrationTests {

    private static final String PASSWORD = "swordfish-of-the-relay";

    private static final Map<String, String> SECURED = Map.of(
            "listener.security.protocol.map",
            "CLIENTS:SASL_PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "sasl.enabled.mechanisms",
            "PLAIN,SCRAM-SHA-256",
            "listener.name.clients.plain.sasl.jaas.config",
            jaas("plain.PlainLoginModule", "admin", "admin").replace(";", " user_admin=\"admin\";"),
            "listener.name.clients.scram-sha-256.sasl.jaas.config",
            jaas("scram.ScramLoginModule", "admin", "admin"));

    @Test
    void messagesWaitUntilTheCredentialsAreRight() throws Exception {
        try (OwnKafka kafka = OwnKafka.start(SECURED);
                Stage stage = Stage.on(kafka);
                RelayLogLines log = RelayLogLines.record();
                Load load = new Load(stage.writer(), Topics.create(kafka, "secured"), 10)) {
            setPassword(kafka, "another");
            load.write(50);
            try (TestService relay = relay(stage).start()) {
                log.await(RelayLogLines.BROKER_DOWN);
                load.write(50);
                assertThat(stage.openTransactions("relay")).isZero();

                setPassword(kafka, PASSWORD);
                log.await(RelayLogLines.BROKER_BACK);
                stage.awaitDrained();
            }
            load.assertPublishedInOrder(kafka);
            assertThat(log.lines())
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line).doesNotContain("swordfish"));
        }
    }

    private static TestService.Builder relay(Stage stage) {
        return stage.relay("relay")
                .with("outbox.relay.publish-timeout", "4s")
                .with("outbox.relay.retry.max-attempts", 1)
                .with("spring.kafka.security.protocol", "SASL_PLAINTEXT")
                .with("spring.kafka.properties.sasl.mechanism", "SCRAM-SHA-256")
                .with("spring.kafka.properties.sasl.jaas.config", jaas("scram.ScramLoginModule", "relay", PASSWORD));
    }

    private static void setPassword(OwnKafka kafka, String password) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                jaas("plain.PlainLoginModule", "admin", "admin")))) {
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                            "relay", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), password)))
                    .all()
                    .get();
        }
    }

    private static String jaas(String module, String user, String password) {
        return "org.apache.kafka.common.security." + module + " required username=\"" + user + "\" password=\""
                + password + "\";";
    }
}
