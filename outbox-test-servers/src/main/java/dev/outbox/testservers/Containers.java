package dev.outbox.testservers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.utils.AppInfoParser;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The shared servers as containers; Testcontainers removes them when the JVM is gone. The images may be chosen through
 * {@code OUTBOX_TEST_POSTGRES_IMAGE} and {@code OUTBOX_TEST_KAFKA_IMAGE}.
 */
final class Containers {

    private Containers() {}

    static Postgres postgres() {
        List<String> command = new ArrayList<>(List.of("postgres"));
        command.addAll(PostgresSettings.options(PostgresSettings.COMMON));
        command.addAll(PostgresSettings.options(PostgresSettings.FAST));
        PostgreSQLContainer container = new PostgreSQLContainer(image("OUTBOX_TEST_POSTGRES_IMAGE", "postgres:17"))
                .withCommand(command.toArray(String[]::new));
        container.start();
        return new PostgresAddress(container.getJdbcUrl(), container.getUsername(), container.getPassword());
    }

    static Kafka kafka() {
        String image = image("OUTBOX_TEST_KAFKA_IMAGE", "apache/kafka:" + AppInfoParser.getVersion());
        KafkaContainer container = new KafkaContainer(image);
        BrokerSettings.SMALL.forEach((name, value) -> container.addEnv(environmentName(name), value));
        container.start();
        return new KafkaAddress(container.getBootstrapServers());
    }

    private static String environmentName(String property) {
        return "KAFKA_" + property.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    private static String image(String variable, String otherwise) {
        String image = System.getenv(variable);
        return image == null || image.isBlank() ? otherwise : image;
    }
}
