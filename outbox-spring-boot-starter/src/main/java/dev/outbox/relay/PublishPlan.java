package dev.outbox.relay;

import dev.outbox.relay.PendingMessage.OrderKey;
import dev.outbox.relay.PublishOutcome.Failed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How a batch is to be sent. A message that failed before goes alone, and only as the first of its key in the batch: it
 * must not overtake one that is sent together with others and is not acknowledged. What follows it in its key is left
 * for the next batch. So no key is both in what is sent together and in what is sent alone.
 *
 * @param together records to send together, in their order
 * @param alone records to send one at a time
 * @param malformed rows of which no record can be made
 */
record PublishPlan(List<OutboxRecord> together, List<OutboxRecord> alone, List<Failed> malformed) {

    static PublishPlan of(List<PendingMessage> batch, boolean careful) {
        PublishPlan plan = new PublishPlan(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Set<OrderKey> begun = new HashSet<>();
        Set<OrderKey> stopped = new HashSet<>();
        for (PendingMessage message : batch) {
            OrderKey key = message.orderKey();
            if (!stopped.contains(key) && !plan.add(message, careful, begun.add(key))) {
                stopped.add(key);
            }
        }
        return plan;
    }

    /** Whether the rest of the key may follow in this batch. */
    private boolean add(PendingMessage message, boolean careful, boolean firstOfKey) {
        OutboxRecord record;
        try {
            record = OutboxRecord.of(message);
        } catch (RuntimeException e) {
            // A row that no writer of the outbox leaves. Its turn to fail comes when it is the first of its key.
            if (firstOfKey) {
                malformed.add(new Failed(message, e));
            }
            return false;
        }
        if (careful) {
            return alone.add(record);
        }
        if (message.attempts() == 0) {
            return together.add(record);
        }
        if (firstOfKey) {
            alone.add(record);
        }
        return false;
    }
}
