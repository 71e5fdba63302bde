package dev.outbox.test;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A Spring Boot service with nothing but the starter, started and stopped at will, on a database and a broker. */
public final class TestService implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private TestService(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** A service on a database and broker of the test's choice, with these properties. */
    public static Builder on(String jdbcUrl, Postgres postgres, Kafka kafka) {
        return new Builder(jdbcUrl, postgres, kafka);
    }

    /** A service on a new database of the shared server, and the shared broker. */
    public static Builder onSharedServers() {
        Postgres postgres = TestServers.postgres();
        return on(postgres.createDatabase(), postgres, TestServers.kafka());
    }

    public OutboxWriter writer() {
        return context.getBean(OutboxWriter.class);
    }

    public JdbcTemplate jdbc() {
        return context.getBean(JdbcTemplate.class);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public ConfigurableApplicationContext context() {
        return context;
    }

    /** Runs work in a transaction. */
    public <T> T inTransaction(Supplier<T> work) {
        return new TransactionTemplate(bean(PlatformTransactionManager.class)).execute(status -> work.get());
    }

    /** Writes messages, in one transaction. */
    public List<UUID> write(OutboxMessage... messages) {
        return inTransaction(() -> writer().writeAll(List.of(messages)));
    }

    /** How many messages are neither published nor dead. */
    public int pending() {
        return jdbc().queryForObject(
                        "SELECT count(*) FROM outbox_message WHERE published_at IS NULL AND dead_at IS NULL",
                        Integer.class);
    }

    @Override
    public void close() {
        context.close();
    }

    /** What a service is started with. */
    public static final class Builder {

        private final Map<String, Object> properties = new LinkedHashMap<>();
        private final List<Class<?>> configurations = new ArrayList<>(List.of(Application.class));

        private Builder(String jdbcUrl, Postgres postgres, Kafka kafka) {
            with("spring.main.banner-mode", "off");
            with("spring.datasource.url", jdbcUrl);
            with("spring.datasource.username", postgres.user());
            with("spring.datasource.password", postgres.password());
            with("spring.kafka.bootstrap-servers", kafka.bootstrapServers());
        }

        public Builder with(String property, Object value) {
            properties.put(property, value);
            return this;
        }

        /** The service writes, and another one publishes. */
        public Builder withoutRelay() {
            return with("outbox.relay.enabled", false);
        }

        public Builder with(Class<?> configuration) {
            configurations.add(configuration);
            return this;
        }

        public Map<String, Object> properties() {
            return properties;
        }

        public TestService start() {
            return new TestService(new SpringApplicationBuilder(configurations.toArray(Class[]::new))
                    .web(WebApplicationType.NONE)
                    .registerShutdownHook(false)
                    .properties(properties)
                    .run());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
