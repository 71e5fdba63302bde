package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The producer's settings as Kafka understands them. */
class ProducerSettingsTests {

    private static final Map<String, Object> HOSTILE = Map.ofEntries(
            Map.entry("acks", "0"),
            Map.entry("retries", "0"),
            Map.entry("enable.idempotence", "false"),
            Map.entry("max.in.flight.requests.per.connection", "100"),
            Map.entry("delivery.timeout.ms", "1"),
            Map.entry("request.timeout.ms", "600000"),
            Map.entry("max.block.ms", "600000"),
            Map.entry("linger.ms", "600000"),
            Map.entry("batch.size", "0"),
            Map.entry("buffer.memory", "1"),
            Map.entry("key.serializer", "no.such.Serializer"),
            Map.entry("value.serializer", "no.such.Serializer"),
            Map.entry("partitioner.class", "no.such.Partitioner"),
            Map.entry("partitioner.ignore.keys", "true"),
            Map.entry("interceptor.classes", "no.such.Interceptor"),
            Map.entry("transactional.id", "orders"),
            Map.entry("transaction.two.phase.commit.enable", "true"));

    @ParameterizedTest
    @ValueSource(longs = {1_000, 10_000, 600_000})
    void whatOrderAndTimeRestOnIsNotForTheApplicationToChoose(long publishMillis) {
        ProducerConfig config = config(HOSTILE, publishMillis);

        assertThat(config.getString("acks")).isEqualTo("-1");
        assertThat(config.getBoolean("enable.idempotence")).isTrue();
        assertThat(config.getInt("max.in.flight.requests.per.connection")).isEqualTo(1);
        assertThat(config.getInt("retries")).isEqualTo(Integer.MAX_VALUE);
        assertThat(config.getInt("batch.size")).isBetween(128 * 1024, 1024 * 1024 - 1);
        assertThat(config.getLong("buffer.memory")).isGreaterThan(8_000_000);
        assertThat(config.getLong("linger.ms")).isLessThan(publishMillis / 2);
        assertThat(config.getLong("max.block.ms")).isBetween(1L, 1_000L);
        assertThat(config.getInt("request.timeout.ms")).isLessThan((int) publishMillis);
        assertThat(config.getInt("delivery.timeout.ms")).isGreaterThan((int) publishMillis);
        assertThat(config.getClass("key.serializer")).isEqualTo(ByteArraySerializer.class);
        assertThat(config.getClass("value.serializer")).isEqualTo(ByteArraySerializer.class);
        assertThat(config.getClass("partitioner.class")).isNull();
        assertThat(config.getBoolean("partitioner.ignore.keys")).isFalse();
        assertThat(config.getList("interceptor.classes")).isEmpty();
        assertThat(config.getString("transactional.id")).isNull();
    }

    @Test
    void theWayToTheBrokerAndWhatIsAMatterOfTasteIsTheApplications() {
        ProducerConfig config = config(
                Map.of(
                        "compression.type", "zstd",
                        "max.request.size", "4000000",
                        "security.protocol", "SASL_SSL",
                        "sasl.mechanism", "PLAIN"),
                10_000);

        assertThat(config.getString("compression.type")).isEqualTo("zstd");
        assertThat(config.getInt("max.request.size")).isEqualTo(4_000_000);
        assertThat(config.getString("security.protocol")).isEqualTo("SASL_SSL");
        assertThat(config.getString("sasl.mechanism")).isEqualTo("PLAIN");
        assertThat(config.getList("bootstrap.servers")).containsExactly("localhost:9092");
    }

    private static ProducerConfig config(Map<String, Object> connection, long publishMillis) {
        Map<String, Object> all = new HashMap<>(connection);
        all.put("bootstrap.servers", List.of("localhost:9092"));
        return new ProducerConfig(new ProducerSettings(all, Duration.ofMillis(publishMillis), 8_000_000).producer());
    }
}
