package dev.outbox.relay;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Sends records through one producer, in their order, and waits for the acknowledgements.
 *
 * <p>Nothing is sent after a failure, so that Kafka never has a later message of a key without the
 * earlier one:
 *
 * <ol>
 *   <li>{@code send} reports some failures through a future that has already failed; the loop looks
 *       at each before it goes on.
 *   <li>The first failure that the producer's I/O thread reports closes the producer there and then,
 *       in the callback, before that thread can send the next request; whatever else has failed
 *       before, and also when nobody waits for it any more.
 * </ol>
 */
final class BatchSend {

    private final Producer<byte[], byte[]> producer;
    private final List<OutboxRecord> records;
    private final Thread sender = Thread.currentThread();
    private final CountDownLatch answered = new CountDownLatch(1);
    private final BitSet acknowledged = new BitSet();
    private int answers;
    private int expectedAnswers = Integer.MAX_VALUE;
    private @Nullable Failure failure;
    private boolean producerClosed;
    private boolean over;

    private BatchSend(Producer<byte[], byte[]> producer, List<OutboxRecord> records) {
        this.producer = producer;
        this.records = records;
    }

    /**
     * Sends the records.
     *
     * @param startFlush has the producer send what it has gathered, without waiting for it
     */
    static Result send(
            Producer<byte[], byte[]> producer, Runnable startFlush, List<OutboxRecord> records, Deadline deadline) {
        return new BatchSend(producer, records).run(startFlush, deadline);
    }

    private Result run(Runnable startFlush, Deadline deadline) {
        int sent = 0;
        while (sent < records.size() && !hasFailed() && !deadline.passed() && send(sent)) {
            sent++;
        }
        startFlush.run();
        boolean complete = await(sent, deadline);
        synchronized (this) {
            over = true;
            boolean allSent = sent == records.size() || failure != null;
            return new Result(acknowledged, failure, producerClosed, complete && allSent);
        }
    }

    // The callback hears of each outcome; of a future that has failed at once, before send returns.
    @SuppressWarnings("FutureReturnValueIgnored")
    private boolean send(int index) {
        try {
            producer.send(records.get(index).kafkaRecord(), (metadata, e) -> completed(index, e));
            return true;
        } catch (RuntimeException e) {
            failed(index, e);
            return false;
        }
    }

    private void completed(int index, @Nullable Exception e) {
        if (e == null) {
            acknowledged(index);
        } else {
            failed(index, e);
        }
        answered();
    }

    /** One wake-up for the whole batch: one for each record would cost more than the record. */
    private synchronized void answered() {
        answers++;
        if (answers == expectedAnswers) {
            answered.countDown();
        }
    }

    private synchronized void acknowledged(int index) {
        if (!over) {
            acknowledged.set(index);
        }
    }

    private void failed(int index, Exception e) {
        boolean close;
        synchronized (this) {
            // With one record there is nothing that could go out after it.
            close = Thread.currentThread() != sender && !producerClosed && records.size() > 1;
            producerClosed |= close;
            if (!over && failure == null) {
                failure = new Failure(index, e);
            }
        }
        if (close) {
            producer.close(Duration.ZERO);
        }
    }

    private synchronized boolean hasFailed() {
        return failure != null;
    }

    private boolean await(int sent, Deadline deadline) {
        synchronized (this) {
            expectedAnswers = sent;
            if (answers >= sent) {
                return true;
            }
        }
        try {
            return answered.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * The first failure.
     *
     * @param index the record's place in the batch
     */
    record Failure(int index, Exception cause) {}

    /**
     * What became of the records.
     *
     * @param acknowledged places of those that the broker has
     * @param producerClosed whether the producer was closed because of a failure
     * @param complete whether the producer answered for all that was sent before the deadline; otherwise some may
     *     be on their way still, and the producer must be given up
     */
    record Result(BitSet acknowledged, @Nullable Failure failure, boolean producerClosed, boolean complete) {}
}
