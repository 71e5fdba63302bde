package dev.outbox.testservers;

import static java.util.Map.entry;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** The settings of the Kafka brokers that tests start. */
final class BrokerSettings {

    /** A single small broker that creates no topics by itself and lets a consumer begin at once. */
    static final Map<String, String> SMALL = Map.ofEntries(
            entry("auto.create.topics.enable", "false"),
            entry("offsets.topic.num.partitions", "1"),
            entry("offsets.topic.replication.factor", "1"),
            entry("transaction.state.log.num.partitions", "1"),
            entry("transaction.state.log.replication.factor", "1"),
            entry("transaction.state.log.min.isr", "1"),
            entry("share.coordinator.state.topic.num.partitions", "1"),
            entry("share.coordinator.state.topic.replication.factor", "1"),
            entry("share.coordinator.state.topic.min.isr", "1"),
            entry("group.initial.rebalance.delay.ms", "0"),
            // A restarted broker is refused while the session of the one that was killed lasts.
            entry("broker.session.timeout.ms", "3000"),
            entry("broker.heartbeat.interval.ms", "500"),
            entry("log.cleaner.dedupe.buffer.size", "8388608"));

    private BrokerSettings() {}

    /**
     * A broker that is its own controller. Clients use the listener CLIENTS, which a test may secure; the broker itself
     * and this module use INTERNAL.
     */
    static Properties of(Path data, BrokerPorts ports, Map<String, String> brokerConfig) {
        Properties settings = new Properties();
        settings.putAll(SMALL);
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + ports.controller());
        settings.put(
                "listeners",
                "CLIENTS://%s,INTERNAL://%s,CONTROLLER://127.0.0.1:%d"
                        .formatted(ports.clientAddress(), ports.internalAddress(), ports.controller()));
        settings.put("listener.security.protocol.map", "CLIENTS:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("inter.broker.listener.name", "INTERNAL");
        settings.put("log.dirs", data.toString());
        settings.putAll(brokerConfig);
        return settings;
    }
}
