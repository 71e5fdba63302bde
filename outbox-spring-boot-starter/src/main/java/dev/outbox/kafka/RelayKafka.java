package dev.outbox.kafka;

import java.time.Duration;
import java.util.Map;

/** Where the relay gets its producer from. It keeps no connection itself. Thread-safe. */
public final class RelayKafka {

    private final Map<String, Object> connection;

    RelayKafka(Map<String, Object> connection) {
        this.connection = Map.copyOf(connection);
    }

    /** A producer for one relay. */
    public RelayProducer producer(Duration publishTimeout, long batchBytes) {
        return new RelayProducer(new ProducerSettings(connection, publishTimeout, batchBytes));
    }

    /** Asks for the broker's health, within the given time. */
    public BrokerProbe probe(Duration timeout) {
        return new BrokerProbe(connection, timeout);
    }
}
