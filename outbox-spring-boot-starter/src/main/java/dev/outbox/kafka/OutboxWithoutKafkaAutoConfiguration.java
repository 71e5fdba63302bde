package dev.outbox.kafka;

import dev.outbox.OutboxSetupException;
import dev.outbox.schema.OutboxDatabase;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Ends a start-up in which the relay was not switched off and cannot be there: nobody would miss it until later. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(afterName = "dev.outbox.kafka.OutboxKafkaAutoConfiguration")
@ConditionalOnBean(OutboxDatabase.class)
@ConditionalOnMissingBean(type = "dev.outbox.kafka.RelayKafka")
@ConditionalOnBooleanProperty(name = "outbox.relay.enabled", matchIfMissing = true)
public final class OutboxWithoutKafkaAutoConfiguration {

    OutboxWithoutKafkaAutoConfiguration() {}

    @Bean
    InitializingBean outboxWithoutKafka() {
        return () -> {
            throw new OutboxSetupException(
                    "The outbox relay cannot publish: Spring Boot's auto-configuration of Kafka is not there, so the"
                            + " messages would be written and never sent.",
                    "Add the dependency spring-boot-starter-kafka, and do not exclude KafkaAutoConfiguration. If another"
                            + " process publishes the messages, or none shall (in a test, say), set"
                            + " outbox.relay.enabled=false.",
                    null);
        };
    }
}
