package dev.outbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Settings of the relay's producer: the application's way to the broker, and what the order of
 * messages rests on, whatever the application chose for producers of its own.
 *
 * @param connection what the application configured under {@code spring.kafka}
 * @param publishTimeout longest time that a batch may take
 * @param batchBytes most bytes of payloads, keys and headers of a batch
 */
record ProducerSettings(Map<String, Object> connection, Duration publishTimeout, long batchBytes) {

    /** Many records per request; below 1 MiB, the usual limit of a topic, and small enough for a hundred partitions. */
    private static final int BATCH_SIZE = 256 * 1024;

    /** The relay flushes when it has sent its batch: until then small requests would only keep the broker busy. */
    private static final int LINGER_MILLIS = 100;

    private static final int KAFKA_BUFFER_MEMORY = 32 * 1024 * 1024;

    Map<String, Object> producer() {
        long publishMillis = publishTimeout.toMillis();
        int requestMillis = Math.toIntExact(Math.min(5_000, publishMillis / 2));
        Map<String, Object> all = new HashMap<>(connection);
        all.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
        all.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
        all.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        all.remove(ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, false);
        // With more in flight, a partition that this producer has not written yet is not ordered.
        all.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        all.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_SIZE);
        all.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(KAFKA_BUFFER_MEMORY, 2 * batchBytes));
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.min(1_000, publishMillis / 10));
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestMillis);
        // The relay gives up first, so that a record expires in a producer that is no longer used.
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(publishMillis + requestMillis));
        return all;
    }
}
