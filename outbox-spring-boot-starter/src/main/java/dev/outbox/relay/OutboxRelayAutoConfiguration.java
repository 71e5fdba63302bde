package dev.outbox.relay;

import dev.outbox.OutboxListener;
import dev.outbox.OutboxProperties;
import dev.outbox.kafka.BrokerProbe;
import dev.outbox.kafka.RelayKafka;
import dev.outbox.schema.OutboxDatabase;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/** Sets up the relay, which starts and stops with the application. */
@AutoConfiguration(afterName = "dev.outbox.kafka.OutboxKafkaAutoConfiguration")
@ConditionalOnBean({OutboxDatabase.class, RelayKafka.class})
public final class OutboxRelayAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(OutboxRelay.class);

    OutboxRelayAutoConfiguration() {}

    @Bean
    WakeUp outboxWakeUp() {
        return new WakeUp();
    }

    @Bean(destroyMethod = "stop")
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    OutboxRelay outboxRelay(
            OutboxDatabase database,
            RelayKafka kafka,
            OutboxProperties properties,
            WakeUp wakeUp,
            ObjectProvider<OutboxListener> listeners) {
        RelaySettings settings = RelaySettings.of(properties.relay());
        List<OutboxListener> all = listeners.orderedStream().toList();
        return new OutboxRelay(() -> loop(database, kafka, settings, wakeUp, all), settings);
    }

    private static RelayLoop loop(
            OutboxDatabase database,
            RelayKafka kafka,
            RelaySettings settings,
            WakeUp wakeUp,
            List<OutboxListener> listeners) {
        BrokerProbe probe = kafka.probe(settings.probeTimeout());
        BatchPublisher publisher = new BatchPublisher(
                kafka.producer(settings.publishTimeout(), settings.batchBytes()), probe, settings.sendTimeout());
        RelayLog relayLog = new RelayLog(System::nanoTime);
        RelayPass pass = new RelayPass(database, publisher, settings, relayLog, batch -> tell(listeners, batch));
        return new RelayLoop(pass, probe, wakeUp, settings, relayLog);
    }

    private static void tell(List<OutboxListener> listeners, OutboxListener.Batch batch) {
        for (OutboxListener listener : listeners) {
            try {
                listener.batchCompleted(batch);
            } catch (RuntimeException e) {
                log.warn("An OutboxListener failed; the relay goes on.", e);
            }
        }
    }
}
