package dev.outbox.faults;

import static dev.outbox.OutboxMessage.to;

import dev.outbox.OutboxMessage;
import dev.outbox.PublishFailure.Reason;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;

/** Messages that real brokers and producers refuse for their own sake. Their payload begins with their number. */
@SuppressWarnings("ImmutableEnumChecker") // the maps are made by Map.of
enum BadMessage {
    TOO_LARGE_FOR_THE_PRODUCER(Map.of(), "none", Reason.TOO_LARGE) {
        @Override
        OutboxMessage numbered(OutboxMessage message, int number) {
            return message.payload(payload(number, 2 * MEGABYTE));
        }
    },
    TOO_LARGE_FOR_ITS_TOPIC(Map.of("max.message.bytes", "20000"), "none", Reason.TOO_LARGE) {
        @Override
        OutboxMessage numbered(OutboxMessage message, int number) {
            return message.payload(payload(number, 100_000));
        }
    },
    TOO_LARGE_FOR_ITS_TOPIC_ALSO_COMPRESSED(Map.of("max.message.bytes", "20000"), "gzip", Reason.TOO_LARGE) {
        @Override
        OutboxMessage numbered(OutboxMessage message, int number) {
            return message.payload(payload(number, 100_000));
        }
    },
    WITH_A_RESERVED_HEADER(Map.of(), "none", Reason.MALFORMED) {
        @Override
        OutboxMessage numbered(OutboxMessage message, int number) {
            return message.payload(payload(number, 10));
        }

        @Override
        void afterWrite(TestService writer, String topic, int number) {
            writer.jdbc()
                    .update(
                            "UPDATE outbox_message SET headers = '{\"event_id\": \"mine\"}'"
                                    + " WHERE topic = ? AND substr(payload_bytes, 1, 2) = convert_to(?, 'UTF8')",
                            topic,
                            number + " ");
        }
    };

    private static final int MEGABYTE = 1024 * 1024;

    private final Map<String, String> topicConfig;
    private final String compression;
    final Reason reason;

    BadMessage(Map<String, String> topicConfig, String compression, Reason reason) {
        this.topicConfig = topicConfig;
        this.compression = compression;
        this.reason = reason;
    }

    /** A topic that refuses it. */
    String topic(Kafka kafka) {
        return Topics.create(kafka, "refuses", 1, topicConfig);
    }

    /** A relay that sends it as meant. */
    TestService.Builder configure(TestService.Builder relay) {
        return relay.with("spring.kafka.producer.compression-type", compression);
    }

    void write(TestService writer, String topic, String key, int number) {
        writer.write(numbered(to(topic).key(key), number));
        afterWrite(writer, topic, number);
    }

    abstract OutboxMessage numbered(OutboxMessage message, int number);

    void afterWrite(TestService writer, String topic, int number) {}

    /** A payload that no compression makes smaller. */
    static byte[] payload(int number, int size) {
        byte[] payload = new byte[size];
        new Random(number).nextBytes(payload);
        byte[] start = (number + " ").getBytes(StandardCharsets.UTF_8);
        System.arraycopy(start, 0, payload, 0, start.length);
        return payload;
    }
}
