package dev.outbox.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer in use. It is made when first needed, so that a service starts without a broker, and
 * made anew after a failure that leaves it in doubt. For one thread; only {@link #discard()} may come
 * from another.
 */
public final class RelayProducer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RelayProducer.class);

    private static final long CLOSE_MILLIS = 2_000;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ProducerSettings settings;
    private final ExecutorService background = Executors.newCachedThreadPool(RelayProducer::backgroundThread);
    private @Nullable Producer<byte[], byte[]> current;

    RelayProducer(ProducerSettings settings) {
        this.settings = settings;
    }

    /**
     * The producer in use, a new one if need be.
     *
     * @throws org.apache.kafka.common.KafkaException if none can be made, as when no broker's name resolves
     */
    public synchronized Producer<byte[], byte[]> get() {
        if (current == null) {
            current = create("outbox-relay-");
        }
        return current;
    }

    /**
     * Looks a topic up, in a thread of its own. Not by the producer in use: one that was asked for a topic that does
     * not exist goes on asking for it, and complains several times a second.
     *
     * @return ends when the topic can be written to, or with what is wrong, within the producer's {@code max.block.ms}
     */
    public Future<?> lookUp(String topic) {
        return background.submit(() -> {
            Producer<byte[], byte[]> scout = create("outbox-look-up-");
            try {
                scout.partitionsFor(topic);
            } finally {
                scout.close(Duration.ZERO);
            }
        });
    }

    private Producer<byte[], byte[]> create(String name) {
        Map<String, Object> configuration = settings.producer();
        Object prefix = configuration.get(ProducerConfig.CLIENT_ID_CONFIG);
        // A number of its own: the one before may still be closing, under its name.
        configuration.put(
                ProducerConfig.CLIENT_ID_CONFIG,
                (prefix == null ? "" : prefix + "-") + name + NUMBER.incrementAndGet());
        return new KafkaProducer<>(configuration);
    }

    /**
     * Has a producer send what it has gathered, instead of lingering for more. Returns at once: the flush itself
     * waits for all records, without a limit, in a thread of its own.
     */
    public void startFlush(Producer<byte[], byte[]> producer) {
        background.execute(() -> {
            try {
                producer.flush();
            } catch (KafkaException e) {
                // Each record's callback tells what became of it.
                log.debug("A flush ended early", e);
            }
        });
    }

    /**
     * Gives the producer up, with all that it has not sent. It closes in a thread of its own, because
     * closing waits for the producer's I/O thread: seconds, when a broker is frozen.
     */
    public void discard() {
        takeOut();
    }

    /** Closes the producer for good. What it still has in flight was given up before. */
    @Override
    public void close() {
        Thread closing = takeOut();
        try {
            if (closing != null) {
                closing.join(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        background.shutdownNow();
    }

    private static Thread backgroundThread(Runnable task) {
        Thread thread = new Thread(task, "outbox-producer-background");
        thread.setDaemon(true);
        return thread;
    }

    private synchronized @Nullable Thread takeOut() {
        Producer<byte[], byte[]> old = current;
        current = null;
        if (old == null) {
            return null;
        }
        Thread closing = new Thread(() -> close(old), "outbox-producer-close");
        closing.setDaemon(true);
        closing.start();
        return closing;
    }

    private static void close(Producer<byte[], byte[]> producer) {
        try {
            producer.close(Duration.ZERO);
        } catch (RuntimeException e) {
            log.debug("A producer failed to close", e);
        }
    }
}
