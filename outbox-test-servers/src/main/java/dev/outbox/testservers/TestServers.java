package dev.outbox.testservers;

import org.jspecify.annotations.Nullable;

/**
 * The servers that all tests of a JVM share. Each is started when it is first asked for, once per JVM, and is gone
 * when the JVM is. They come from the addresses given in the environment ({@code OUTBOX_TEST_POSTGRES_URL} with
 * {@code _USER} and {@code _PASSWORD}, {@code OUTBOX_TEST_KAFKA}), else from Testcontainers where a Docker engine
 * answers, else they are embedded; {@code OUTBOX_TEST_SERVERS} may say {@code testcontainers} or {@code embedded}.
 */
public final class TestServers {

    private static @Nullable Postgres postgres;
    private static @Nullable Kafka kafka;

    private TestServers() {}

    /** The shared PostgreSQL: fast rather than durable, in a time zone that nobody expects. */
    public static synchronized Postgres postgres() {
        if (postgres == null) {
            postgres = ServerSource.forPostgres().postgres();
        }
        return postgres;
    }

    /** The shared Kafka broker. */
    public static synchronized Kafka kafka() {
        if (kafka == null) {
            kafka = ServerSource.forKafka().kafka();
        }
        return kafka;
    }
}
