package dev.outbox.writer;

import dev.outbox.InvalidOutboxMessageException;
import dev.outbox.OutboxProperties;
import dev.outbox.OutboxWakeUp;
import dev.outbox.OutboxWriter;
import dev.outbox.PayloadSerializer;
import dev.outbox.schema.OutboxDatabase;
import dev.outbox.transaction.CallerTransaction;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

/** Sets up the writer, with the application's Jackson mapper where there is one. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
        afterName = {
            "dev.outbox.schema.OutboxSchemaAutoConfiguration",
            "dev.outbox.relay.OutboxRelayAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"
        })
@ConditionalOnBean(OutboxDatabase.class)
public final class OutboxWriterAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(JdbcOutboxWriter.class);

    OutboxWriterAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    OutboxWriter outboxWriter(
            OutboxDatabase database,
            CallerTransaction transaction,
            OutboxProperties properties,
            ObjectProvider<PayloadSerializer> serializer,
            ObjectProvider<OutboxWakeUp> wakeUp) {
        if (!properties.relay().enabled()) {
            log.info(
                    "This process only writes to the outbox (outbox.relay.enabled=false); another one has to publish.");
        }
        MessageRows messages = new MessageRows(
                serializer.getIfAvailable(() -> OutboxWriterAutoConfiguration::refuseObject),
                Math.toIntExact(properties.writer().maxMessageSize().toBytes()),
                new UuidV7(Clock.systemUTC()));
        return new JdbcOutboxWriter(
                transaction, messages, new OutboxRows(database), wakeUp.getIfAvailable(() -> () -> {}));
    }

    private static String refuseObject(Object payload) {
        throw new InvalidOutboxMessageException(
                "The payload is a " + payload.getClass().getName()
                        + ", and there is no Jackson mapper to make JSON of it, or several of them. Add"
                        + " spring-boot-starter-jackson, mark one JsonMapper bean as @Primary, define a"
                        + " PayloadSerializer bean, or give a String or a byte array.");
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    static class JacksonConfiguration {

        @Bean
        @ConditionalOnSingleCandidate(JsonMapper.class)
        @ConditionalOnMissingBean(PayloadSerializer.class)
        PayloadSerializer outboxPayloadSerializer(JsonMapper mapper) {
            return new JacksonPayloadSerializer(mapper);
        }
    }
}
