package dev.outbox.relay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What became of a batch at the broker. Filled by {@link BatchPublisher}, read by {@link RelayPass}. */
final class PublishOutcome {

    private final List<PendingMessage> published = new ArrayList<>();
    private final List<Failed> failed = new ArrayList<>();
    private final Map<String, Throwable> failedTopics = new LinkedHashMap<>();
    private final Set<String> unknownTopics = new LinkedHashSet<>();
    private @Nullable Throwable brokerFailure;

    void published(PendingMessage message) {
        published.add(message);
    }

    /** The message itself cannot be published: the attempt counts. */
    void failed(PendingMessage message, Throwable cause) {
        failed.add(new Failed(message, cause));
    }

    /** The topic does not work: its messages wait, and none of them is to blame. */
    void topicFailed(String topic, Throwable cause) {
        failedTopics.putIfAbsent(topic, cause);
    }

    /** Nobody knows yet whether the topic works. */
    void topicUnknown(String topic) {
        unknownTopics.add(topic);
    }

    /** The batch ended early, because the broker did not answer or refused us. */
    void brokerFailed(Throwable cause) {
        if (brokerFailure == null) {
            brokerFailure = cause;
        }
    }

    List<PendingMessage> published() {
        return published;
    }

    List<Failed> failed() {
        return failed;
    }

    Map<String, Throwable> failedTopics() {
        return failedTopics;
    }

    Set<String> unknownTopics() {
        return unknownTopics;
    }

    @Nullable
    Throwable brokerFailure() {
        return brokerFailure;
    }

    boolean isEmpty() {
        return published.isEmpty() && failed.isEmpty() && failedTopics.isEmpty() && unknownTopics.isEmpty();
    }

    /** A message at fault, and why. */
    record Failed(PendingMessage message, Throwable cause) {}
}
