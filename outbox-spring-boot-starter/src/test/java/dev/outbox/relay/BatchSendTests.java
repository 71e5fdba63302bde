package dev.outbox.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What keeps a later message from Kafka when an earlier one of its key has failed. */
class BatchSendTests {

    private final ExecutorService io = Executors.newSingleThreadExecutor();
    private final ScriptedProducer producer = new ScriptedProducer();
    private final List<OutboxRecord> records = Messages.records(LongStream.rangeClosed(1, 10)
            .mapToObj(id -> Messages.message(id, "topic", "key"))
            .toArray(PendingMessage[]::new));

    @AfterEach
    void endIoThread() {
        io.shutdownNow();
    }

    @Test
    void acknowledgedRecordsAreToldByTheirPlace() {
        producer.after(10, () -> acknowledge(10));

        BatchSend.Result result = send();

        assertThat(result.acknowledged().cardinality()).isEqualTo(10);
        assertThat(result.complete()).isTrue();
        assertThat(result.failure()).isNull();
        assertThat(producer.closed()).isFalse();
        assertThat(producer.history())
                .extracting(record -> new String(record.value(), UTF_8))
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
    }

    @Test
    void aFutureThatHasFailedEndsTheLoop() {
        RecordTooLargeException tooLarge = new RecordTooLargeException("too large");
        producer.refuse(4, tooLarge);
        producer.after(3, () -> acknowledge(3));

        BatchSend.Result result = send();

        assertThat(producer.history()).hasSize(3);
        assertThat(result.acknowledged().cardinality()).isEqualTo(3);
        assertThat(result.failure().index()).isEqualTo(3);
        assertThat(result.failure().cause()).isSameAs(tooLarge);
        assertThat(result.complete()).isTrue();
    }

    @Test
    void whatWasSentBeforeAFailureIsFlushed() {
        producer.refuse(4, new RecordTooLargeException("too large"));
        producer.whenFlushed(() -> acknowledge(3));

        BatchSend.Result result = send();

        assertThat(result.acknowledged().cardinality()).isEqualTo(3);
        assertThat(result.complete()).isTrue();
    }

    @Test
    void anExceptionOfSendEndsTheLoop() {
        producer.after(3, () -> {
            acknowledge(3);
            producer.close(Duration.ZERO);
        });

        BatchSend.Result result = send();

        assertThat(producer.history()).hasSize(3);
        assertThat(result.acknowledged().cardinality()).isEqualTo(3);
        assertThat(result.failure().index()).isEqualTo(3);
        assertThat(result.failure().cause()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aFailedCallbackClosesTheProducerBeforeItReturns() {
        InvalidRecordException invalid = new InvalidRecordException("no key");
        producer.after(10, () -> {
            acknowledge(2);
            fail(invalid);
            assertThat(producer.closed()).isTrue();
            fail(new InvalidRecordException("aborted"), 7);
        });

        BatchSend.Result result = send();

        assertThat(result.acknowledged().cardinality()).isEqualTo(2);
        assertThat(result.failure().index()).isEqualTo(2);
        assertThat(result.failure().cause()).isSameAs(invalid);
        assertThat(result.complete()).isTrue();
        assertThat(result.producerClosed()).isTrue();
    }

    @Test
    void aFailedCallbackEndsTheLoop() {
        producer.after(5, () -> {
            fail(new InvalidRecordException("no key"));
            fail(new InvalidRecordException("aborted"), 4);
        });

        BatchSend.Result result = send();

        assertThat(producer.history()).hasSize(5);
        assertThat(result.acknowledged().isEmpty()).isTrue();
        assertThat(result.failure().index()).isZero();
    }

    @Test
    void aFailedCallbackClosesTheProducerAlsoAfterAFutureThatHasFailed() {
        producer.refuse(8, new RecordTooLargeException("too large"));
        producer.whenRefused(() -> {
            fail(new InvalidRecordException("no key"));
            assertThat(producer.closed()).isTrue();
            fail(new InvalidRecordException("aborted"), 6);
        });

        BatchSend.Result result = send();

        assertThat(result.acknowledged().isEmpty()).isTrue();
        assertThat(result.failure().index()).isEqualTo(7);
        assertThat(result.producerClosed()).isTrue();
    }

    @Test
    void withoutAnAnswerTheSendEndsAtItsDeadline() {
        producer.after(10, () -> acknowledge(4));

        BatchSend.Result result = send(Deadline.in(Duration.ofMillis(200)));

        assertThat(result.acknowledged().cardinality()).isEqualTo(4);
        assertThat(result.complete()).isFalse();
        assertThat(result.failure()).isNull();
    }

    @Test
    void aFailureAfterTheDeadlineClosesTheProducerToo() throws Exception {
        BatchSend.Result result = send(Deadline.in(Duration.ofMillis(200)));

        io.submit(() -> fail(new TimeoutException("expired"))).get();

        assertThat(producer.closed()).isTrue();
        assertThat(result.complete()).isFalse();
    }

    @Test
    void anAcknowledgementAfterTheDeadlineComesTooLate() throws Exception {
        BatchSend.Result result = send(Deadline.in(Duration.ofMillis(200)));

        io.submit(() -> acknowledge(10)).get();

        assertThat(result.acknowledged().isEmpty()).isTrue();
        assertThat(result.complete()).isFalse();
    }

    @Test
    void nothingIsSentAfterTheDeadline() {
        BatchSend.Result result = send(Deadline.in(Duration.ZERO));

        assertThat(producer.history()).isEmpty();
        assertThat(result.complete()).isFalse();
    }

    private BatchSend.Result send() {
        return send(Deadline.in(Duration.ofMinutes(2)));
    }

    private BatchSend.Result send(Deadline deadline) {
        return BatchSend.send(producer, producer::flushStarted, records, deadline);
    }

    private void acknowledge(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(producer.completeNext()).isTrue();
        }
    }

    private void fail(RuntimeException failure) {
        fail(failure, 1);
    }

    private void fail(RuntimeException failure, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(producer.errorNext(failure)).isTrue();
        }
    }

    /** Does what Kafka's producer does, at the places that a test chooses. */
    private final class ScriptedProducer extends MockProducer<byte[], byte[]> {

        private int sends;
        private int scriptAt;
        private Runnable script = () -> {};
        private int refuseAt;
        private RuntimeException refusal = new IllegalStateException();
        private Runnable afterRefusal = () -> {};
        private Runnable afterFlush = () -> {};

        ScriptedProducer() {
            super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        /** Runs a script in the I/O thread when this many records have been sent, before the last send returns. */
        void after(int records, Runnable script) {
            this.scriptAt = records;
            this.script = script;
        }

        /** Refuses the record of this number in the way of Kafka's producer: by a future that has failed. */
        void refuse(int number, RuntimeException refusal) {
            this.refuseAt = number;
            this.refusal = refusal;
        }

        /** Runs a script in the I/O thread once the refusal is known. */
        void whenRefused(Runnable script) {
            this.afterRefusal = script;
        }

        /** Runs a script in the I/O thread once the sender has asked for the flush. */
        void whenFlushed(Runnable script) {
            this.afterFlush = script;
        }

        void flushStarted() {
            inIoThread(afterFlush);
        }

        @Override
        @SuppressWarnings(
                "UnsynchronizedOverridesSynchronized") // the I/O thread needs the lock while send waits for it
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            sends++;
            if (sends == refuseAt) {
                callback.onCompletion(null, refusal);
                inIoThread(afterRefusal);
                return CompletableFuture.failedFuture(refusal);
            }
            Future<RecordMetadata> future = super.send(record, callback);
            if (sends == scriptAt) {
                inIoThread(script);
            }
            return future;
        }

        private void inIoThread(Runnable script) {
            try {
                io.submit(script).get();
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        }
    }
}
