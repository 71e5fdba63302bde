package dev.outbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
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

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Map<String, Object> configuration;
    private final int timeoutMillis;
    private @Nullable Admin admin;
    private @Nullable AuthenticationException refusal;

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
        refusal = null;
        try {
            if (admin == null) {
                admin = create();
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
            if (e.getCause() instanceof AuthenticationException refused) {
                refusal = refused;
            }
            return false;
        }
    }

    /** Why the broker did not let us in at the last look, if that was it. A producer often knows of a timeout only. */
    public @Nullable Exception refusal() {
        return refusal;
    }

    private Admin create() {
        Map<String, Object> numbered = new HashMap<>(configuration);
        Object prefix = numbered.get(AdminClientConfig.CLIENT_ID_CONFIG);
        // A number of its own: other relays of this JVM have probes too, and the one before may still be closing.
        numbered.put(
                AdminClientConfig.CLIENT_ID_CONFIG,
                (prefix == null ? "" : prefix + "-") + "outbox-probe-" + NUMBER.incrementAndGet());
        return Admin.create(numbered);
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
    }
}
