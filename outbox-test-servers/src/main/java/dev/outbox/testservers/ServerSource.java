package dev.outbox.testservers;

import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the shared servers come from, in this order:
 *
 * <ol>
 *   <li>given addresses: {@code OUTBOX_TEST_POSTGRES_URL} with {@code _USER} and {@code _PASSWORD},
 *       {@code OUTBOX_TEST_KAFKA}, each for itself;
 *   <li>what {@code OUTBOX_TEST_SERVERS} says, {@code testcontainers} or {@code embedded};
 *   <li>Testcontainers where a Docker engine answers;
 *   <li>embedded: processes started from the class path.
 * </ol>
 */
enum ServerSource {
    GIVEN {
        @Override
        Postgres postgres() {
            return new PostgresAddress(given(POSTGRES_URL), given(POSTGRES_URL_USER), given(POSTGRES_URL_PASSWORD));
        }

        @Override
        Kafka kafka() {
            return new KafkaAddress(given(KAFKA));
        }
    },

    TESTCONTAINERS {
        @Override
        Postgres postgres() {
            return Containers.postgres();
        }

        @Override
        Kafka kafka() {
            return Containers.kafka();
        }
    },

    EMBEDDED {
        @Override
        Postgres postgres() {
            return OwnPostgres.start(PostgresSettings.FAST);
        }

        @Override
        Kafka kafka() {
            return OwnKafka.start(Map.of());
        }
    };

    private static final Logger log = LoggerFactory.getLogger(ServerSource.class);

    private static final String POSTGRES_URL = "OUTBOX_TEST_POSTGRES_URL";
    private static final String POSTGRES_URL_USER = "OUTBOX_TEST_POSTGRES_USER";
    private static final String POSTGRES_URL_PASSWORD = "OUTBOX_TEST_POSTGRES_PASSWORD";
    private static final String KAFKA = "OUTBOX_TEST_KAFKA";
    private static final String SERVERS = "OUTBOX_TEST_SERVERS";

    abstract Postgres postgres();

    abstract Kafka kafka();

    static ServerSource forPostgres() {
        return announced("PostgreSQL", choose(System.getenv(), POSTGRES_URL));
    }

    static ServerSource forKafka() {
        return announced("Kafka", choose(System.getenv(), KAFKA));
    }

    static ServerSource choose(Map<String, String> environment, String addressVariable) {
        if (!environment.getOrDefault(addressVariable, "").isBlank()) {
            return GIVEN;
        }
        String wanted = environment.getOrDefault(SERVERS, "").strip().toLowerCase(Locale.ROOT);
        return switch (wanted) {
            case "" -> DockerEngine.answers() ? TESTCONTAINERS : EMBEDDED;
            case "testcontainers" -> TESTCONTAINERS;
            case "embedded" -> EMBEDDED;
            default ->
                throw new IllegalArgumentException(SERVERS + " is neither testcontainers nor embedded: " + wanted);
        };
    }

    private static ServerSource announced(String server, ServerSource source) {
        log.info("{} of the tests: {}", server, source);
        return source;
    }

    private static String given(String variable) {
        String value = System.getenv(variable);
        if (value == null || value.isBlank()) {
            throw new IllegalStateException("The environment variable " + variable + " is missing");
        }
        return value;
    }
}
