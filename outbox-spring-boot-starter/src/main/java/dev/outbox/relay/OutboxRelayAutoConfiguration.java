package dev.outbox.relay;

import dev.outbox.OutboxListener;
import dev.outbox.OutboxProperties;
import dev.outbox.RetryPolicy;
import dev.outbox.kafka.BrokerProbe;
import dev.outbox.kafka.RelayKafka;
import dev.outbox.schema.OutboxDatabase;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Sets up the relay, which starts and stops with the application. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(afterName = "dev.outbox.kafka.OutboxKafkaAutoConfiguration")
@ConditionalOnBean({OutboxDatabase.class, RelayKafka.class})
public final class OutboxRelayAutoConfiguration {

    OutboxRelayAutoConfiguration() {}

    @Bean
    WakeUp outboxWakeUp() {
        return new WakeUp();
    }

    @Bean
    RelayHooks outboxRelayHooks(
            OutboxProperties properties,
            ObjectProvider<RetryPolicy> retryPolicy,
            ObjectProvider<OutboxListener> listeners) {
        return new RelayHooks(
                retryPolicy.getIfAvailable(
                        () -> RelaySettings.of(properties.relay()).retry()),
                listeners.orderedStream().toList());
    }

    @Bean(destroyMethod = "stop")
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    OutboxRelay outboxRelay(
            OutboxDatabase database, RelayKafka kafka, OutboxProperties properties, WakeUp wakeUp, RelayHooks hooks) {
        RelaySettings settings = RelaySettings.of(properties.relay());
        return new OutboxRelay(() -> loop(database, kafka, settings, wakeUp, hooks), settings);
    }

    private static RelayLoop loop(
            OutboxDatabase database, RelayKafka kafka, RelaySettings settings, WakeUp wakeUp, RelayHooks hooks) {
        BrokerProbe probe = kafka.probe(settings.probeTimeout());
        BatchPublisher publisher = new BatchPublisher(
                kafka.producer(settings.publishTimeout(), settings.batchBytes()), probe, settings.sendTimeout());
        RelayLog relayLog = new RelayLog(System::nanoTime);
        RelayPass pass = new RelayPass(database, publisher, settings, relayLog, hooks);
        return new RelayLoop(pass, probe, wakeUp, settings, relayLog);
    }
}
