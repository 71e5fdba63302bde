package dev.outbox.testkit;

import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.util.List;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Gives each test context of this module a database of its own and the shared broker, instead of those that the
 * application's properties name: so the application can be, word for word, the one of the documentation.
 */
class SharedServers implements ContextCustomizerFactory {

    /** The broker's address is left as configured, where a test says that there is to be none. */
    static final String NO_BROKER = "tests.no-broker";

    @Override
    public ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configuration) {
        return new Servers();
    }

    record Servers() implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            Postgres postgres = TestServers.postgres();
            Database database = new Database(postgres.createDatabase(), postgres.user(), postgres.password());
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(JdbcConnectionDetails.class, () -> database);
            if (!context.getEnvironment().containsProperty(NO_BROKER)) {
                List<String> bootstrapServers = List.of(TestServers.kafka().bootstrapServers());
                beans.registerBean(KafkaConnectionDetails.class, () -> () -> bootstrapServers);
            }
        }
    }

    record Database(String getJdbcUrl, String getUsername, String getPassword) implements JdbcConnectionDetails {}
}
