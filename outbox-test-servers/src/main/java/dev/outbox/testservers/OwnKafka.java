package dev.outbox.testservers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;

/**
 * A Kafka broker of one's own, for faults: a process (JVM) on a data directory and ports that stay the same until it is
 * closed. Always embedded, whatever the shared servers are.
 */
public final class OwnKafka implements Kafka, AutoCloseable {

    private final BrokerPorts ports = BrokerPorts.free();
    private final ServerDirectory directory = ServerDirectory.create("kafka");
    private final ServerProcess process = new ServerProcess("Kafka on " + ports.clientAddress(), directory);
    private final KafkaAddress internal = new KafkaAddress(ports.internalAddress());
    private final String clusterId = Uuid.randomUuid().toString();
    private final Path settings = directory.resolve("server.properties");
    private final Path ready = directory.resolve("ready");

    private OwnKafka(Map<String, String> brokerConfig) {
        try (OutputStream out = Files.newOutputStream(settings)) {
            BrokerSettings.of(directory.resolve("data"), ports, brokerConfig).store(out, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a broker with these settings (those of server.properties) on top of its own, and waits until it is ready.
     * The listener of the clients is named {@code CLIENTS}; it may be secured while {@link #createTopic} and
     * {@link #readAll} go on to work, through another one that stays open.
     */
    public static OwnKafka start(Map<String, String> brokerConfig) {
        OwnKafka kafka = new OwnKafka(brokerConfig);
        try {
            kafka.startAgain();
            return kafka;
        } catch (RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    @Override
    public String bootstrapServers() {
        return ports.clientAddress();
    }

    @Override
    public void createTopic(String name, int partitions, Map<String, String> config) {
        internal.createTopic(name, partitions, config);
    }

    @Override
    public List<ConsumerRecord<byte[], byte[]>> readAll(String topic, Duration bound) {
        return internal.readAll(topic, bound);
    }

    /** {@code kill -9}. */
    public void kill() {
        process.kill();
    }

    /** Stops it in order, as its operator would. */
    public void stop() {
        process.end("TERM");
    }

    /** Starts it after its end, on the same data and ports, and returns when it serves clients. */
    public void startAgain() {
        try {
            Files.deleteIfExists(ready);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process.start(command(), () -> Files.exists(ready));
    }

    private List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=dev/outbox/testservers/broker-logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                BrokerMain.class.getName(),
                settings.toString(),
                clusterId,
                ready.toString());
    }

    /** Stops the process without ending it (SIGSTOP): connections stay open, and nothing answers. */
    public void freeze() {
        process.freeze();
    }

    /** Lets a frozen broker go on (SIGCONT). */
    public void thaw() {
        process.signal("CONT");
    }

    /** Kills it, frozen or not, and removes its data. */
    @Override
    public void close() {
        directory.close();
    }

    @Override
    public String toString() {
        return "Kafka at " + bootstrapServers();
    }
}
