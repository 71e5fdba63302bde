package dev.outbox.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdsTests {

    private static final String ID = "0195f3c2-7a10-7bcd-8ef0-0123456789ab";

    private final ConsumerRecord<String, String> record = new ConsumerRecord<>("orders", 3, 17, "k", "v");

    @Test
    void theHeaderIsAUuid() {
        header(ID);
        assertThat(EventIds.of(record)).isEqualTo(UUID.fromString(ID));
    }

    @Test
    void capitalsAreFine() {
        header("0195F3C2-7A10-7BCD-8EF0-0123456789AB");
        assertThat(EventIds.of(record)).isEqualTo(UUID.fromString(ID));
    }

    @Test
    void aRecordWithoutTheHeader() {
        record.headers().add("Event_Id", ID.getBytes(StandardCharsets.UTF_8));
        assertInvalid("no header event_id");
    }

    @Test
    void aRecordWithTheHeaderTwice() {
        header(ID);
        header(ID);
        assertInvalid("more than one header event_id");
    }

    @Test
    void aHeaderWithoutAValue() {
        record.headers().add("event_id", null);
        assertInvalid("no UUID in header event_id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "17",
                "1-2-3-4-5",
                ID + " ",
                "\n" + ID,
                ID + "0",
                "{0195f3c2-7a10-7bcd-8ef0-0123456789ab}",
                "0195f3c27a107bcd8ef00123456789ab",
                "0195f3c2-7a10-7bcd-8ef0-0123456789ag",
                "٠195f3c2-7a10-7bcd-8ef0-0123456789ab"
            })
    void aHeaderThatIsNoUuid(String value) {
        header(value);
        assertInvalid("no UUID in header event_id");
    }

    private void header(String value) {
        record.headers().add("event_id", value.getBytes(StandardCharsets.UTF_8));
    }

    private void assertInvalid(String problem) {
        assertThatExceptionOfType(InvalidEventIdException.class)
                .isThrownBy(() -> EventIds.of(record))
                .withMessageContaining("orders-3@17")
                .withMessageContaining(problem);
    }
}
