package dev.outbox.kafka;

import dev.outbox.schema.OutboxDatabase;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.config.SslConfigs;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.util.StringUtils;

/** Takes the way to the broker from what the application configured under {@code spring.kafka}. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
        afterName = {
            "dev.outbox.schema.OutboxSchemaAutoConfiguration",
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration"
        })
@ConditionalOnClass({Producer.class, KafkaProperties.class})
@ConditionalOnBean({OutboxDatabase.class, KafkaConnectionDetails.class})
@ConditionalOnBooleanProperty(name = "outbox.relay.enabled", matchIfMissing = true)
public final class OutboxKafkaAutoConfiguration {

    OutboxKafkaAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    RelayKafka outboxRelayKafka(KafkaProperties properties, KafkaConnectionDetails details) {
        Map<String, Object> connection = new HashMap<>(properties.buildProducerProperties());
        KafkaConnectionDetails.Configuration producer = details.getProducer();
        connection.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, producer.getBootstrapServers());
        SslBundle bundle = producer.getSslBundle();
        if (bundle != null) {
            connection.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundleSslEngineFactory.class);
            connection.put(SslBundle.class.getName(), bundle);
        }
        String protocol = producer.getSecurityProtocol();
        if (StringUtils.hasLength(protocol)) {
            connection.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, protocol);
        }
        return new RelayKafka(connection);
    }
}
