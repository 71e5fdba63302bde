package dev.outbox.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class OwnServersIntegrationTests {

    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    void recordsAndTopicsSurviveTheKillOfTheBroker() throws Exception {
        try (OwnKafka kafka = OwnKafka.start(Map.of())) {
            String bootstrapServers = kafka.bootstrapServers();
            kafka.createTopic("kept", 3, Map.of("retention.ms", "-1"));
            send(kafka, "kept", "before", Map.of());

            kafka.kill();
            kafka.startAgain();

            assertThat(kafka.bootstrapServers()).isEqualTo(bootstrapServers);
            send(kafka, "kept", "after", Map.of());
            assertThat(values(kafka, "kept")).containsExactlyInAnyOrder("before", "after");
        }
    }

    @Test
    void aFrozenBrokerTimesOutAndServesAgainWhenThawed() throws Exception {
        try (OwnKafka kafka = OwnKafka.start(Map.of())) {
            kafka.createTopic("frozen", 1, Map.of());
            send(kafka, "frozen", "before", Map.of());

            kafka.freeze();
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> send(kafka, "frozen", "lost", shortTimeouts()))
                    .withCauseInstanceOf(TimeoutException.class);
            kafka.thaw();

            send(kafka, "frozen", "after", Map.of());
            assertThat(values(kafka, "frozen")).contains("before", "after");
        }
    }

    @Test
    void committedRowsSurviveTheKillOfPostgres() throws Exception {
        try (OwnPostgres postgres = OwnPostgres.start(Map.of())) {
            String url = postgres.createDatabase();
            try (Connection connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE kept (id int)");
                statement.execute("INSERT INTO kept VALUES (1)");

                postgres.stopHard();

                assertThatExceptionOfType(SQLException.class).isThrownBy(() -> statement.execute("SELECT 1"));
            }
            postgres.startAgain();
            assertThat(query(postgres, url, "SELECT id FROM kept")).isEqualTo("1");

            postgres.restart();
            assertThat(query(postgres, url, "SELECT id FROM kept")).isEqualTo("1");
            assertThat(query(postgres, url, "SHOW fsync")).isEqualTo("on");
        }
    }

    @Test
    void theSharedServersServe() throws Exception {
        Postgres postgres = TestServers.postgres();
        String url = postgres.createDatabase();
        assertThat(url).doesNotContain("?").isNotEqualTo(postgres.createDatabase());
        assertThat(query(postgres, url, "SELECT current_database()"))
                .isEqualTo(url.substring(url.lastIndexOf('/') + 1));

        Kafka kafka = TestServers.kafka();
        kafka.createTopic("shared", 2, Map.of("cleanup.policy", "compact"));
        send(kafka, "shared", "there", Map.of());
        assertThat(values(kafka, "shared")).containsExactly("there");
        assertThat(TestServers.kafka()).isSameAs(kafka);
    }

    @Test
    void theListenerOfTheClientsCanBeSecured() throws Exception {
        try (OwnKafka kafka = OwnKafka.start(Map.of(
                "listener.security.protocol.map", "CLIENTS:SASL_PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "sasl.enabled.mechanisms", "PLAIN",
                "listener.name.clients.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_app=\"right\";",
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users", "User:ANONYMOUS"))) {
            kafka.createTopic("secured", 1, Map.of());

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> send(kafka, "secured", "refused", login("wrong")))
                    .withCauseInstanceOf(SaslAuthenticationException.class);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> send(kafka, "secured", "refused", login("right")))
                    .withCauseInstanceOf(TopicAuthorizationException.class);
            assertThat(values(kafka, "secured")).isEmpty();
        }
    }

    @Test
    void noServerOutlivesItsJvmNotEvenAFrozenOne() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AbandonedServers.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<ProcessHandle> servers = new ArrayList<>();
        try (BufferedReader lines = jvm.inputReader(UTF_8)) {
            for (String pid = lines.readLine(); pid != null && !pid.isEmpty(); pid = lines.readLine()) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(servers::add);
            }
        } finally {
            jvm.destroyForcibly();
        }
        assertThat(servers).hasSizeGreaterThan(2);
        Poll.until(BOUND, "all servers end", () -> servers.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static Map<String, String> login(String password) {
        Map<String, String> config = new HashMap<>(shortTimeouts());
        config.put("security.protocol", "SASL_PLAINTEXT");
        config.put("sasl.mechanism", "PLAIN");
        config.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"app\" password=\"%s\";"
                        .formatted(password));
        return config;
    }

    private static void send(Kafka kafka, String topic, String value, Map<String, String> config) throws Exception {
        Map<String, Object> all = new HashMap<>(config);
        all.put("bootstrap.servers", kafka.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, "key".getBytes(UTF_8), value.getBytes(UTF_8)))
                    .get();
        }
    }

    private static Map<String, String> shortTimeouts() {
        return Map.of(
                "max.block.ms", "1000", "request.timeout.ms", "500", "delivery.timeout.ms", "1000", "linger.ms", "0");
    }

    private static List<String> values(Kafka kafka, String topic) {
        return kafka.readAll(topic, BOUND).stream()
                .map(record -> new String(record.value(), UTF_8))
                .toList();
    }

    private static String query(Postgres postgres, String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getString(1);
        }
    }
}
