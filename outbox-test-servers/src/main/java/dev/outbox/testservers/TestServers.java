package dev.outbox.testservers;

/**
 * The servers that all tests of a JVM share. Each is started when it is first asked for, once per JVM, and is gone
 * when the JVM is. {@link ServerSource} tells where they come from.
 */
public final class TestServers {

    private TestServers() {}

    /** The shared PostgreSQL: fast rather than durable, in a time zone that nobody expects. */
    public static Postgres postgres() {
        return SharedPostgres.INSTANCE;
    }

    /** The shared Kafka broker. */
    public static Kafka kafka() {
        return SharedKafka.INSTANCE;
    }

    private static final class SharedPostgres {
        static final Postgres INSTANCE = ServerSource.forPostgres().postgres();
    }

    private static final class SharedKafka {
        static final Kafka INSTANCE = ServerSource.forKafka().kafka();
    }
}
