package dev.outbox.kafka;

import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/** Who is at fault when a record is not acknowledged. It decides who has to wait. */
public enum FailureKind {

    /** The message itself: too large, invalid, refused. It fails alone just the same. */
    MESSAGE,

    /** Another message of the same producer batch. Alone it may well succeed. */
    NEIGHBOUR,

    /** The topic: missing, not authorized, invalid. */
    TOPIC,

    /** The broker, or the way to it. */
    BROKER,

    /** The producer, which is of no more use; a new one is. */
    PRODUCER;

    private static final List<Class<? extends Exception>> TOPIC_FAILURES = List.of(
            InvalidTopicException.class,
            TopicAuthorizationException.class,
            UnknownTopicOrPartitionException.class,
            UnknownTopicIdException.class,
            PolicyViolationException.class);

    private static final List<Class<? extends Exception>> PRODUCER_FAILURES = List.of(
            OutOfOrderSequenceException.class,
            UnknownProducerIdException.class,
            InvalidProducerEpochException.class,
            InvalidPidMappingException.class,
            ProducerFencedException.class,
            IllegalStateException.class);

    private static final List<Class<? extends Exception>> BROKER_FAILURES = List.of(
            // Timeouts, network, leader elections, too few replicas, storage: the producer itself would retry.
            RetriableException.class,
            AuthenticationException.class,
            ClusterAuthorizationException.class,
            ThrottlingQuotaExceededException.class,
            UnsupportedVersionException.class,
            InterruptException.class,
            ConfigException.class);

    /** Classifies what a producer reported or threw. */
    public static FailureKind of(Throwable failure) {
        // A look-up of a topic that does not exist ends as a timeout, with the reason as its cause.
        if (matches(failure, TOPIC_FAILURES) || matches(failure.getCause(), TOPIC_FAILURES)) {
            return TOPIC;
        }
        if (matches(failure, PRODUCER_FAILURES) || matches(failure.getCause(), PRODUCER_FAILURES)) {
            return PRODUCER;
        }
        if (matches(failure, BROKER_FAILURES) || matches(failure.getCause(), BROKER_FAILURES)) {
            return BROKER;
        }
        return failure.getClass() == KafkaException.class ? NEIGHBOUR : MESSAGE;
    }

    private static boolean matches(@Nullable Throwable failure, List<Class<? extends Exception>> types) {
        return types.stream().anyMatch(type -> type.isInstance(failure));
    }
}
