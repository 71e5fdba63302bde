package dev.outbox.faults;

import static org.awaitility.Awaitility.await;

import dev.outbox.MessageDescription;
import dev.outbox.OutboxListener;
import dev.outbox.PublishFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Writes down what the relay tells its listeners. A service is started with this class, and asked for the bean. */
final class Outcomes implements OutboxListener {

    final List<MessageDescription> published = new CopyOnWriteArrayList<>();
    final List<PublishFailure> failed = new CopyOnWriteArrayList<>();
    final List<Duration> delays = new CopyOnWriteArrayList<>();
    final List<PublishFailure> dead = new CopyOnWriteArrayList<>();
    final List<Throwable> relayFailures = new CopyOnWriteArrayList<>();
    final List<Batch> batches = new CopyOnWriteArrayList<>();

    @Override
    public void published(MessageDescription message) {
        published.add(message);
    }

    @Override
    public void failed(PublishFailure failure, Duration nextAttempt) {
        failed.add(failure);
        delays.add(nextAttempt);
    }

    @Override
    public void dead(PublishFailure failure) {
        dead.add(failure);
    }

    @Override
    public void relayFailed(Throwable cause) {
        relayFailures.add(cause);
    }

    @Override
    public void batchCompleted(Batch batch) {
        batches.add(batch);
    }

    void awaitDead(int messages) {
        await("dead letters are reported").atMost(Stage.BOUND).until(() -> dead.size() >= messages);
    }

    @Configuration(proxyBeanMethods = false)
    static class Recording {

        @Bean
        Outcomes outcomes() {
            return new Outcomes();
        }
    }
}
