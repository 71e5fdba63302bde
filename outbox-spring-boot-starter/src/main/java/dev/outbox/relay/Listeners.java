package dev.outbox.relay;

import dev.outbox.MessageDescription;
import dev.outbox.OutboxListener;
import dev.outbox.OutboxListener.Batch;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Tells the application's listeners what has been committed. What they throw is logged. */
final class Listeners {

    private final List<OutboxListener> listeners;
    private final RelayLog log;

    Listeners(List<OutboxListener> listeners, RelayLog log) {
        this.listeners = List.copyOf(listeners);
        this.log = log;
    }

    void committed(Marked marked, Batch batch) {
        for (PendingMessage message : marked.published()) {
            MessageDescription description = message.describe();
            tell(listener -> listener.published(description));
        }
        for (FailedAttempt attempt : marked.failed()) {
            Duration delay = attempt.delay();
            if (delay == null) {
                tell(listener -> listener.dead(attempt.failure()));
            } else {
                tell(listener -> listener.failed(attempt.failure(), delay));
            }
        }
        tell(listener -> listener.batchCompleted(batch));
    }

    void relayFailed(Throwable cause) {
        tell(listener -> listener.relayFailed(cause));
    }

    private void tell(Consumer<OutboxListener> event) {
        for (OutboxListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                log.listenerFailed(listener, e);
            }
        }
    }
}
