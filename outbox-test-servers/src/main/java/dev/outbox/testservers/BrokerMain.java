package dev.outbox.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.Time;

/**
 * The broker's process: formats the storage if it is new, starts the broker and says that it is ready by a file. This
 * is what {@code kafka-storage.sh} and {@code kafka-server-start.sh} do.
 */
final class BrokerMain {

    private BrokerMain() {}

    /** Expects the file of settings, the cluster's id and the file to create when ready. */
    public static void main(String[] args) throws Exception {
        Path settings = Path.of(args[0]);
        String[] format = {"format", "--ignore-formatted", "--cluster-id", args[1], "--config", settings.toString()};
        if (StorageTool.execute(format, System.out) != 0) {
            throw new IllegalStateException("The storage could not be formatted");
        }
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(read(settings)), Time.SYSTEM);
        server.startup();
        Files.createFile(Path.of(args[2]));
        server.awaitShutdown();
    }

    private static Properties read(Path file) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return properties;
    }
}
