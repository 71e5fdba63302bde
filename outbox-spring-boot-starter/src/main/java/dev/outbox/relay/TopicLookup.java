package dev.outbox.relay;

import dev.outbox.kafka.RelayProducer;
import dev.outbox.kafka.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;

/**
 * Asks for the topics of a batch before anything is sent. A {@code send} to a topic that does not exist
 * blocks for {@code max.block.ms}, and would do so for each record. So topics that are not known to work
 * are looked up beside the relay's work, and their messages are left out until the answer is there. The
 * relay waits for a moment when it meets a topic for the first time, because most topics do exist.
 */
final class TopicLookup {

    /** Longest time that the others wait for topics met for the first time. */
    private static final Duration FIRST_LOOK = Duration.ofMillis(100);

    /** Look-ups at a time. Each has a producer and a thread of its own. */
    private static final int MAX_LOOK_UPS = 8;

    private final RelayProducer producer;

    /** Topics that have been seen to work: asking the producer for them takes no time, or one request. */
    private final Set<String> known = new HashSet<>();

    /** Topics that the others have waited for. */
    private final Set<String> met = new HashSet<>();

    private final Map<String, Future<?>> lookUps = new HashMap<>();

    TopicLookup(RelayProducer producer) {
        this.producer = producer;
    }

    /**
     * Removes the records whose topic does not work, or is not known to work yet.
     *
     * @param outcome hears of the topics that are still being looked up
     * @return the look-ups that failed
     */
    List<Failure> check(List<OutboxRecord> records, Deadline deadline, PublishOutcome outcome) {
        Set<String> topics = new LinkedHashSet<>();
        records.forEach(record -> topics.add(record.message().topic()));
        List<Failure> failures = new ArrayList<>();
        failures.addAll(removeIllegal(topics));
        topics.forEach(this::begin);
        awaitNewTopics(topics, deadline.orIn(FIRST_LOOK));
        failures.addAll(end(topics));
        topics.stream().filter(topic -> !known.contains(topic)).forEach(outcome::topicUnknown);
        topics.retainAll(known);
        failures.addAll(removeNotAnswering(topics, deadline));
        records.removeIf(record -> !topics.contains(record.message().topic()));
        return failures;
    }

    /** Never asked for: the client would keep a name too long for the protocol, and could ask for no topic any more. */
    private static List<Failure> removeIllegal(Set<String> topics) {
        List<Failure> failures = new ArrayList<>();
        topics.removeIf(topic -> !TopicName.isLegal(topic)
                && failures.add(new Failure(topic, new InvalidTopicException("no topic can have this name"))));
        return failures;
    }

    private void begin(String topic) {
        long inProgress =
                lookUps.values().stream().filter(lookUp -> !lookUp.isDone()).count();
        if (!known.contains(topic) && !lookUps.containsKey(topic) && inProgress < MAX_LOOK_UPS) {
            lookUps.put(topic, producer.lookUp(topic));
        }
    }

    private void awaitNewTopics(Set<String> topics, Deadline deadline) {
        for (String topic : topics) {
            Future<?> lookUp = lookUps.get(topic);
            if (lookUp != null && met.add(topic)) {
                try {
                    lookUp.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
                } catch (TimeoutException | ExecutionException e) {
                    // It will be there for the next batch; or it is there, and told below.
                } catch (InterruptedException e) {
                    throw new InterruptException(e);
                }
            }
        }
    }

    /** Takes in the answers that are there, and removes the topics that do not work. */
    private List<Failure> end(Set<String> topics) {
        List<Failure> failures = new ArrayList<>();
        topics.removeIf(topic -> {
            Future<?> lookUp = lookUps.get(topic);
            if (lookUp == null || !lookUp.isDone()) {
                return false;
            }
            lookUps.remove(topic);
            try {
                lookUp.get();
                known.add(topic);
                return false;
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                return failures.add(
                        new Failure(topic, cause instanceof KafkaException kafka ? kafka : new KafkaException(cause)));
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        });
        return failures;
    }

    /** A producer that is new has to ask, too, and a topic can vanish. When one has waited in vain, no other does. */
    private List<Failure> removeNotAnswering(Set<String> topics, Deadline deadline) {
        List<Failure> failures = new ArrayList<>();
        topics.removeIf(topic -> {
            boolean waited = failures.stream().anyMatch(Failure::isTimeout);
            if (waited || deadline.passed()) {
                return true;
            }
            try {
                producer.get().partitionsFor(topic);
                return false;
            } catch (KafkaException e) {
                known.remove(topic);
                return failures.add(new Failure(topic, e));
            }
        });
        return failures;
    }

    /** A topic that could not be looked up. */
    record Failure(String topic, KafkaException cause) {

        private boolean isTimeout() {
            return cause instanceof org.apache.kafka.common.errors.TimeoutException;
        }
    }
}
