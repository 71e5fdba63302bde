package dev.outbox.testkit;

import dev.outbox.ManualRelay;
import dev.outbox.schema.OutboxDatabase;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/** Adds the tester, on the outbox of the test's context. */
@AutoConfiguration
public final class OutboxTesterAutoConfiguration {

    OutboxTesterAutoConfiguration() {}

    // Without conditions: a test that asks for a tester is to hear why there is none.
    @Bean
    @DependsOnDatabaseInitialization
    OutboxTester outboxTester(ObjectProvider<OutboxDatabase> database, ObjectProvider<ManualRelay> relay) {
        OutboxDatabase outbox = database.getIfAvailable();
        if (outbox == null) {
            throw new IllegalStateException(
                    "@AutoConfigureOutboxTester found no outbox in this test's context. Does it have a DataSource, and"
                            + " is outbox.enabled not set to false?");
        }
        return new OutboxTester(new MessageTable(outbox), relay.getIfAvailable());
    }
}
