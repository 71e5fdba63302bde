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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks whether a broker answers, without sending a record and without a transaction. While none does, one client goes
 * on trying, so that an outage is not a line of clients that each introduce themselves to the log. For one thread.
 */
public final class BrokerProbe implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BrokerProbe.class);

    private static final long FIRST_RECONNECT_MILLIS = 500;
    private static final long RECONNECT_MILLIS = 5_000;

    private final Map<String, Object> configuration;
    private final int timeoutMillis;
    private @Nullable Admin admin;

    BrokerProbe(Map<String, Object> connection, Duration timeout) {
        configuration = new HashMap<>(connection);
        configuration
                .keySet()
                .removeIf(name -> ProducerConfig.configNames().contains(name)
                        && !AdminClientConfig.configNames().contains(name));
        configuration.put(AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG, FIRST_RECONNECT_MILLIS);
        configuration.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MILLIS);
        // With one bootstrap list there is nothing to learn from asking it again, many times a second.
        configuration.put(AdminClientConfig.METADATA_RECOVERY_STRATEGY_CONFIG, "none");
        // The application's may not fit to each other, or outlast the probe.
        configuration.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(timeout.toMillis()));
        configuration.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(timeout.toMillis()));
        timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    /** Whether a broker can be reached and lets us in. Takes no longer than the timeout; interruption counts as no. */
    public boolean answers() {
        try {
            if (admin == null) {
                admin = Admin.create(configuration);
            }
            admin.describeCluster(new DescribeClusterOptions().timeoutMs(timeoutMillis))
                    .nodes()
                    .get(timeoutMillis, TimeUnit.MILLISECONDS);
            close();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            log.debug("No broker answers", e);
            return false;
        }
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
    }
}
