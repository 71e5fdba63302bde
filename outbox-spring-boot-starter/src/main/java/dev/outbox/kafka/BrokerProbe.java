package dev.outbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;

/** Asks whether a broker answers, without sending a record and without a transaction. */
public final class BrokerProbe {

    private static final long RECONNECT_MILLIS = 1_000;

    private final Map<String, Object> configuration;
    private final int timeoutMillis;

    BrokerProbe(Map<String, Object> connection, Duration timeout) {
        configuration = new HashMap<>(connection);
        configuration
                .keySet()
                .removeIf(name -> ProducerConfig.configNames().contains(name)
                        && !AdminClientConfig.configNames().contains(name));
        // A probe is repeated by whoever needs the answer; within one, a try or two are enough.
        configuration.put(AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG, RECONNECT_MILLIS);
        configuration.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MILLIS);
        timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    /** Whether a broker can be reached and lets us in. Takes no longer than the timeout; interruption counts as no. */
    public boolean answers() {
        try (Admin admin = Admin.create(configuration)) {
            try {
                admin.describeCluster(new DescribeClusterOptions().timeoutMs(timeoutMillis))
                        .nodes()
                        .get(timeoutMillis, TimeUnit.MILLISECONDS);
                return true;
            } finally {
                admin.close(Duration.ZERO);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            return false;
        }
    }
}
