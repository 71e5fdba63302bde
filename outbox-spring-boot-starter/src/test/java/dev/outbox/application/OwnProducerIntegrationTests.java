package dev.outbox.application;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.transaction.KafkaTransactionManager;

/** An application that has set up its own producers to its taste, by properties. The relay's is another one. */
class OwnProducerIntegrationTests {

    private static final int PARTITIONS = 3;

    private final Kafka kafka = TestServers.kafka();

    @Test
    void whatTheApplicationChoseForItsProducersHoldsForThemAndNotForTheRelay() {
        String topic = Topics.create(kafka, "own-producer", PARTITIONS, Map.of());
        try (TestService service = TestService.onSharedServers()
                .with(OwnTransactions.class)
                .with(
                        "spring.kafka.producer.value-serializer",
                        "org.springframework.kafka.support.serializer.JacksonJsonSerializer")
                .with("spring.kafka.producer.transaction-id-prefix", "own-")
                .with("spring.kafka.producer.compression-type", "gzip")
                .with("spring.kafka.producer.properties.linger.ms", 20)
                .with("spring.kafka.producer.properties.partitioner.class", ToTheLast.class.getName())
                .with("spring.kafka.producer.properties.interceptor.classes", Seen.class.getName())
                .start()) {
            for (int i = 0; i < 2 * PARTITIONS; i++) {
                service.write(to(topic).key("key " + i).json("{}"));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> service.pending() == 0);

            @SuppressWarnings("unchecked")
            KafkaTemplate<String, Object> template = service.bean(KafkaTemplate.class);
            template.executeInTransaction(own ->
                    own.send(topic, "own", List.of("sent", "by", "itself")).join());

            List<ConsumerRecord<byte[], byte[]>> records = Topics.read(kafka, topic);
            List<ConsumerRecord<byte[], byte[]>> relayed = records.stream()
                    .filter(record -> record.headers().lastHeader("event_id") != null)
                    .toList();
            assertThat(relayed).hasSize(2 * PARTITIONS).allSatisfy(record -> {
                assertThat(Topics.value(record)).isEqualTo("{}");
                assertThat(record.headers().lastHeader("seen")).isNull();
            });
            assertThat(relayed).extracting(ConsumerRecord::partition).contains(0);
            assertThat(records)
                    .filteredOn(record -> !relayed.contains(record))
                    .singleElement()
                    .satisfies(record -> {
                        assertThat(Topics.value(record)).isEqualTo("[\"sent\",\"by\",\"itself\"]");
                        assertThat(record.partition()).isEqualTo(PARTITIONS - 1);
                        assertThat(Topics.header(record, "seen")).isEqualTo("yes");
                    });
            assertThat(Seen.keys).containsExactly("own");
            assertThat(service.context().getBeansOfType(KafkaTransactionManager.class))
                    .hasSize(1);
        }
    }

    /** Sends all records to the last partition. */
    public static final class ToTheLast implements Partitioner {

        @Override
        public int partition(
                String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
            return cluster.partitionCountForTopic(topic) - 1;
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    /** Marks what it sees. */
    public static final class Seen implements ProducerInterceptor<Object, Object> {

        private static final List<Object> keys = new CopyOnWriteArrayList<>();

        @Override
        public ProducerRecord<Object, Object> onSend(ProducerRecord<Object, Object> record) {
            keys.add(record.key());
            record.headers().add("seen", new byte[] {'y', 'e', 's'});
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    /** Spring Boot makes none for the DataSource where there is one of Kafka. */
    @Configuration(proxyBeanMethods = false)
    static class OwnTransactions {

        @Bean
        @Primary
        DataSourceTransactionManager ownTransactions(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }
}
