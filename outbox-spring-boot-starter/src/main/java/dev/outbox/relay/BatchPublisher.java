package dev.outbox.relay;

import dev.outbox.kafka.BrokerProbe;
import dev.outbox.kafka.FailureKind;
import dev.outbox.kafka.RelayProducer;
import dev.outbox.relay.PendingMessage.OrderKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Step 3, publish: brings a batch to Kafka so that the messages of a key get there in order, whatever
 * fails on the way.
 *
 * <p>All messages go out together first. When one of them is refused, what was not acknowledged is sent
 * once more in a careful phase, one record at a time and each acknowledged before the next, by a new
 * producer: so the message at fault is found, and its neighbours in the same producer batch get through.
 * Messages that failed before are only ever sent in the careful phase, so that they cost the others no
 * second one. For one thread.
 */
final class BatchPublisher implements AutoCloseable {

    /** Other messages wait while some are sent one at a time. */
    private static final Duration CAREFUL_PHASE = Duration.ofSeconds(1);

    private final RelayProducer producer;
    private final TopicLookup topics;
    private final BrokerProbe probe;
    private final Duration timeout;
    private volatile boolean givenUp;

    BatchPublisher(RelayProducer producer, BrokerProbe probe, Duration timeout) {
        this.producer = producer;
        this.topics = new TopicLookup(producer);
        this.probe = probe;
        this.timeout = timeout;
    }

    /**
     * Publishes messages, as far as they go within the time.
     *
     * @param batch messages in the order of their ids, each key from its oldest pending one on, without a gap
     * @param careful whether to send all of them one at a time
     */
    PublishOutcome publish(List<PendingMessage> batch, boolean careful) {
        Deadline deadline = Deadline.in(timeout);
        PublishOutcome outcome = new PublishOutcome();
        try {
            publish(batch, careful, deadline, outcome);
        } catch (KafkaException e) {
            // No producer could be made, or a look-up was refused.
            producer.discard();
            outcome.brokerFailed(e);
        } catch (RuntimeException | Error e) {
            // Nobody knows in what state it is.
            producer.discard();
            throw e;
        }
        if (outcome.failedTopics().values().stream().anyMatch(TimeoutException.class::isInstance)) {
            // The producer would go on asking for the topic, and complain, several times a second.
            producer.discard();
        }
        return outcome;
    }

    private void publish(List<PendingMessage> batch, boolean careful, Deadline deadline, PublishOutcome outcome) {
        PublishPlan plan = PublishPlan.of(batch, careful);
        plan.malformed().forEach(failed -> outcome.failed(failed.message(), failed.cause()));
        List<OutboxRecord> together = new ArrayList<>(plan.together());
        List<OutboxRecord> alone = new ArrayList<>(plan.alone());
        if (sendTogether(together, deadline, outcome)) {
            alone.addAll(0, together);
        }
        if (outcome.brokerFailure() == null) {
            sendAlone(alone, deadline, outcome);
        }
    }

    /**
     * Sends records together, and removes from the list those that are done with.
     *
     * @return whether the rest, if any, is for the careful phase now
     */
    private boolean sendTogether(List<OutboxRecord> records, Deadline deadline, PublishOutcome outcome) {
        removeFailedTopics(records, deadline, outcome);
        if (records.isEmpty() || outcome.brokerFailure() != null) {
            return false;
        }
        BatchSend.Result result = send(records, deadline);
        List<OutboxRecord> rest = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            if (result.acknowledged().get(i)) {
                outcome.published(records.get(i).message());
            } else {
                rest.add(records.get(i));
            }
        }
        BatchSend.Failure failure = result.failure();
        FailureKind kind = failure == null ? null : FailureKind.of(failure.cause());
        if (!result.complete() || result.producerClosed() || kind == FailureKind.PRODUCER) {
            producer.discard();
        }
        if (failure != null && kind == FailureKind.TOPIC) {
            outcome.topicFailed(records.get(failure.index()).message().topic(), failure.cause());
        } else if (failure != null && kind == FailureKind.BROKER) {
            outcome.brokerFailed(failure.cause());
        } else if (!result.complete()) {
            outcome.brokerFailed(new TimeoutException("not acknowledged within " + timeout.toMillis() + " ms"));
        }
        records.clear();
        records.addAll(rest);
        return kind == FailureKind.MESSAGE || kind == FailureKind.NEIGHBOUR;
    }

    /** The careful phase. It does not last long: what it did not get to is in the next batch. */
    private void sendAlone(List<OutboxRecord> records, Deadline deadline, PublishOutcome outcome) {
        removeFailedTopics(records, deadline, outcome);
        Deadline end = deadline.orIn(CAREFUL_PHASE);
        Set<OrderKey> stopped = new HashSet<>();
        for (OutboxRecord record : records) {
            PendingMessage message = record.message();
            if (givenUp || outcome.brokerFailure() != null || end.passed()) {
                return;
            }
            if (!stopped.contains(message.orderKey()) && !outcome.failedTopics().containsKey(message.topic())) {
                if (!sendAlone(record, deadline, outcome)) {
                    stopped.add(message.orderKey());
                }
            }
        }
    }

    /** Whether the broker has the record now. */
    private boolean sendAlone(OutboxRecord record, Deadline deadline, PublishOutcome outcome) {
        PendingMessage message = record.message();
        // Half of the time at most, so that one silent partition leaves some for the others.
        BatchSend.Result result = send(List.of(record), deadline.orIn(timeout.dividedBy(2)));
        if (result.acknowledged().get(0)) {
            outcome.published(message);
            return true;
        }
        BatchSend.Failure failure = result.failure();
        Exception cause = failure != null ? failure.cause() : new TimeoutException("not acknowledged in time");
        FailureKind kind = failure != null ? FailureKind.of(cause) : FailureKind.BROKER;
        if (kind != FailureKind.MESSAGE || result.producerClosed()) {
            producer.discard();
        }
        switch (kind) {
            case MESSAGE -> outcome.failed(message, cause);
            case NEIGHBOUR -> {
                // Alone in its batch there is no neighbour, unless the producer was closed to end all this.
                if (givenUp) {
                    outcome.brokerFailed(cause);
                } else {
                    outcome.failed(message, cause);
                }
            }
            case TOPIC -> outcome.topicFailed(message.topic(), cause);
            case BROKER -> silent(message.topic(), cause, outcome);
            case PRODUCER -> outcome.brokerFailed(cause);
        }
        return false;
    }

    private BatchSend.Result send(List<OutboxRecord> records, Deadline deadline) {
        Producer<byte[], byte[]> current = producer.get();
        return BatchSend.send(current, () -> producer.startFlush(current), records, deadline);
    }

    /** One topic does not answer. If the broker does, the others need not wait with it. */
    private void silent(String topic, Throwable cause, PublishOutcome outcome) {
        if (!givenUp && probe.answers()) {
            outcome.topicFailed(topic, cause);
        } else {
            // Left alone it would go on knocking at the broker's door.
            producer.discard();
            outcome.brokerFailed(cause);
        }
    }

    /** Ends a batch in progress early; from another thread. Nothing is sent any more. */
    void giveUp() {
        givenUp = true;
        producer.discard();
    }

    @Override
    public void close() {
        producer.close();
    }

    private void removeFailedTopics(List<OutboxRecord> records, Deadline deadline, PublishOutcome outcome) {
        if (records.isEmpty()) {
            return;
        }
        for (TopicLookup.Failure failure : topics.check(records, deadline, outcome)) {
            if (FailureKind.of(failure.cause()) == FailureKind.TOPIC) {
                outcome.topicFailed(failure.topic(), failure.cause());
            } else if (outcome.brokerFailure() == null) {
                silent(failure.topic(), failure.cause(), outcome);
            }
        }
    }
}
