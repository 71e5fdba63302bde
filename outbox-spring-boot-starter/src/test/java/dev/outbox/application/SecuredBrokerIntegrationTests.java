package dev.outbox.application;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.outbox.kafka.BrokerProbe;
import dev.outbox.kafka.RelayKafka;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import dev.outbox.testservers.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The security of the application's way to Kafka is that of the relay's, of its producer and of its look at the broker. */
class SecuredBrokerIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private static final String LOGIN =
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"orders\" password=\"%s\";";

    @TempDir
    private static Path directory;

    private static Certificates certificates;
    private static OwnKafka kafka;

    @BeforeAll
    static void startBroker() {
        certificates = Certificates.in(directory);
        kafka = OwnKafka.start(Map.of(
                "listener.security.protocol.map", "CLIENTS:SASL_SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "sasl.enabled.mechanisms", "PLAIN",
                "listener.name.clients.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_orders=\"right\";",
                "ssl.keystore.type", "PKCS12",
                "ssl.keystore.location", certificates.keyStore().toString(),
                "ssl.keystore.password", Certificates.PASSWORD));
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @Test
    void settingsForAllClients() {
        assertPublishes(service()
                .with("spring.kafka.security.protocol", "SASL_SSL")
                .with(
                        "spring.kafka.ssl.trust-store-location",
                        certificates.trustStore().toUri().toString())
                .with("spring.kafka.ssl.trust-store-type", "PKCS12")
                .with("spring.kafka.ssl.trust-store-password", Certificates.PASSWORD)
                .with("spring.kafka.properties.sasl.mechanism", "PLAIN")
                .with("spring.kafka.properties.sasl.jaas.config", LOGIN.formatted("right")));
    }

    @Test
    void settingsForProducersOnlyAndAnSslBundle() {
        assertPublishes(bundle(service())
                .with("spring.kafka.bootstrap-servers", "localhost:1")
                .with("spring.kafka.producer.bootstrap-servers", kafka.bootstrapServers())
                .with("spring.kafka.producer.security.protocol", "SASL_SSL")
                .with("spring.kafka.producer.ssl.bundle", "broker")
                .with("spring.kafka.properties.sasl.jaas.config", LOGIN.formatted("wrong"))
                .with("spring.kafka.producer.properties.sasl.mechanism", "PLAIN")
                .with("spring.kafka.producer.properties.sasl.jaas.config", LOGIN.formatted("right")));
    }

    @Test
    void connectionDetails() {
        assertPublishes(bundle(service())
                .with(Details.class)
                .with("spring.kafka.bootstrap-servers", "localhost:1")
                .with("broker", kafka.bootstrapServers())
                .with("spring.kafka.properties.sasl.mechanism", "PLAIN")
                .with("spring.kafka.properties.sasl.jaas.config", LOGIN.formatted("right")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrong password", "unknown certificate"})
    void aLoginThatIsRefusedIsAnOutageAndSaysSoOnce(String fault) {
        String topic = Topics.create(kafka, "refused");
        boolean password = fault.equals("wrong password");
        TestService.Builder builder = bundle(service())
                .with("spring.kafka.security.protocol", "SASL_SSL")
                .with("spring.kafka.properties.sasl.mechanism", "PLAIN")
                .with("spring.kafka.properties.sasl.jaas.config", LOGIN.formatted(password ? "wrong" : "right"));
        if (password) {
            builder.with("spring.kafka.ssl.bundle", "broker");
        }
        try (LogLines log = LogLines.of("dev.outbox", Level.DEBUG);
                TestService service = builder.start()) {
            service.write(to(topic).key("k").payload("waits"));
            await("several looks at the broker")
                    .atMost(BOUND)
                    .until(() -> log.at(Level.DEBUG).stream()
                                    .filter("No broker answers"::equals)
                                    .count()
                            >= 3);

            assertThat(log.at(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("Kafka does not answer", password ? "Authentication failed" : "SSL handshake failed")
                    .doesNotContain("PlainLoginModule");
            assertThat(service.jdbc()
                            .queryForList("SELECT attempts, next_attempt_at, last_error, dead_at FROM outbox_message"))
                    .singleElement()
                    .satisfies(row -> assertThat(row.values()).containsOnly(0, null));
        }
        assertThat(Topics.read(kafka, topic)).isEmpty();
    }

    private static TestService.Builder service() {
        return TestService.on(TestServers.postgres().createDatabase(), TestServers.postgres(), kafka);
    }

    private static TestService.Builder bundle(TestService.Builder builder) {
        return builder.with(
                        "spring.ssl.bundle.jks.broker.truststore.location",
                        certificates.trustStore().toUri().toString())
                .with("spring.ssl.bundle.jks.broker.truststore.type", "PKCS12")
                .with("spring.ssl.bundle.jks.broker.truststore.password", Certificates.PASSWORD);
    }

    private static void assertPublishes(TestService.Builder builder) {
        String topic = Topics.create(kafka, "secured");
        try (TestService service = builder.start();
                BrokerProbe probe = service.bean(RelayKafka.class).probe(BOUND)) {
            List<UUID> ids = service.write(to(topic).key("k").payload("x"));
            await().atMost(BOUND).until(() -> service.pending() == 0);
            assertThat(Topics.eventIds(kafka, topic)).isEqualTo(ids);
            assertThat(probe.answers()).isTrue();
        }
    }

    /** As a service connection of Testcontainers or a cloud platform brings it. */
    @Configuration(proxyBeanMethods = false)
    static class Details {

        @Bean
        KafkaConnectionDetails details(@Value("${broker}") String broker, SslBundles bundles) {
            return new KafkaConnectionDetails() {
                @Override
                public List<String> getBootstrapServers() {
                    return List.of(broker);
                }

                @Override
                public SslBundle getSslBundle() {
                    return bundles.getBundle("broker");
                }

                @Override
                public String getSecurityProtocol() {
                    return "SASL_SSL";
                }
            };
        }
    }
}
