package dev.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.kafka.FailureKind;
import java.util.stream.Stream;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whose fault it is decides who waits, and whether an attempt counts. */
class FailureKindTests {

    @ParameterizedTest
    @MethodSource
    void theMessageIsAtFault(Exception failure) {
        assertThat(FailureKind.of(failure)).isEqualTo(FailureKind.MESSAGE);
    }

    static Stream<Exception> theMessageIsAtFault() {
        return Stream.of(
                new RecordTooLargeException("larger than max.request.size"),
                new RecordBatchTooLargeException("larger than a segment"),
                new InvalidRecordException("no key on a compacted topic"),
                new InvalidTimestampException("out of the range that the topic allows"),
                new SerializationException("too deep"),
                new UnknownServerException("whatever it is, it comes back when the message does"));
    }

    @ParameterizedTest
    @MethodSource
    void theTopicIsAtFault(Exception failure) {
        assertThat(FailureKind.of(failure)).isEqualTo(FailureKind.TOPIC);
    }

    static Stream<Exception> theTopicIsAtFault() {
        return Stream.of(
                new UnknownTopicOrPartitionException("missing"),
                new UnknownTopicIdException("deleted and created again"),
                new InvalidTopicException("not a topic!"),
                new TopicAuthorizationException("secret"),
                new PolicyViolationException("not here"),
                // As the producer reports a look-up that found nothing until its time was over.
                new TimeoutException("not present in metadata", new UnknownTopicOrPartitionException("missing")),
                new KafkaException(new TopicAuthorizationException("secret")));
    }

    @ParameterizedTest
    @MethodSource
    void theBrokerIsAtFault(Exception failure) {
        assertThat(FailureKind.of(failure)).isEqualTo(FailureKind.BROKER);
    }

    static Stream<Exception> theBrokerIsAtFault() {
        return Stream.of(
                new TimeoutException("expired"),
                new NetworkException("disconnected"),
                new NotLeaderOrFollowerException("elsewhere"),
                new NotEnoughReplicasException("alone"),
                new NotEnoughReplicasAfterAppendException("alone by now"),
                new KafkaStorageException("the disk"),
                new CorruptRecordException("the network"),
                new SaslAuthenticationException("wrong password"),
                new SslAuthenticationException("wrong certificate"),
                new ClusterAuthorizationException("no idempotent writes"),
                new ThrottlingQuotaExceededException("too fast"),
                new InterruptException("stopped"),
                new KafkaException(
                        "Failed to construct kafka producer", new ConfigException("No resolvable bootstrap urls")),
                new KafkaException("wrapped", new TimeoutException("expired")),
                new KafkaException("wrapped", new SaslAuthenticationException("wrong password")));
    }

    @ParameterizedTest
    @MethodSource
    void theProducerIsOfNoMoreUse(Exception failure) {
        assertThat(FailureKind.of(failure)).isEqualTo(FailureKind.PRODUCER);
    }

    static Stream<Exception> theProducerIsOfNoMoreUse() {
        return Stream.of(
                new OutOfOrderSequenceException("a gap"),
                new UnknownProducerIdException("expired"),
                new InvalidProducerEpochException("old"),
                new ProducerFencedException("old"),
                new IllegalStateException("Cannot perform operation after producer has been closed"));
    }

    @ParameterizedTest
    @MethodSource
    void aNeighbourIsAtFault(Exception failure) {
        assertThat(FailureKind.of(failure)).isEqualTo(FailureKind.NEIGHBOUR);
    }

    static Stream<Exception> aNeighbourIsAtFault() {
        return Stream.of(
                new KafkaException("part of a batch which had one more more invalid records"),
                new KafkaException("Producer is closed forcefully."));
    }
}
