package dev.outbox.relay;

import static dev.outbox.relay.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PublishPlanTests {

    @Test
    void whatNeverFailedGoesTogetherInItsOrder() {
        PublishPlan plan = PublishPlan.of(
                List.of(message(1, "t", "a"), message(2, "t", "b"), message(3, "t", "a"), message(4, "t", null)),
                false);

        assertThat(ids(plan.together())).containsExactly(1L, 2L, 3L, 4L);
        assertThat(plan.alone()).isEmpty();
    }

    @Test
    void whatFailedBeforeGoesAloneAndTheRestOfItsKeyLater() {
        PublishPlan plan = PublishPlan.of(
                List.of(failedBefore(1, "a"), message(2, "t", "a"), message(3, "t", "b"), failedBefore(4, "a")), false);

        assertThat(ids(plan.alone())).containsExactly(1L);
        assertThat(ids(plan.together())).containsExactly(3L);
    }

    /** The older one may not be acknowledged, and would be overtaken. */
    @Test
    void whatFailedBeforeWaitsWhenAnOlderMessageOfItsKeyIsInTheBatch() {
        PublishPlan plan = PublishPlan.of(
                List.of(message(1, "t", "a"), failedBefore(2, "a"), message(3, "t", "a"), message(4, "u", "a")), false);

        assertThat(ids(plan.together())).containsExactly(1L, 4L);
        assertThat(plan.alone()).isEmpty();
    }

    @Test
    void aRowWithoutARecordFailsOnlyAsTheFirstOfItsKeyAndStopsIt() {
        PublishPlan plan = PublishPlan.of(
                List.of(
                        malformed(1, "a"),
                        message(2, "t", "a"),
                        message(3, "t", "b"),
                        malformed(4, "b"),
                        message(5, "t", "b")),
                false);

        assertThat(plan.malformed()).extracting(failed -> failed.message().id()).containsExactly(1L);
        assertThat(ids(plan.together())).containsExactly(3L);
    }

    @Test
    void carefullyAllGoAloneInTheirOrder() {
        PublishPlan plan = PublishPlan.of(
                List.of(message(1, "t", "a"), failedBefore(2, "a"), message(3, "t", "a"), message(4, "t", "b")), true);

        assertThat(ids(plan.alone())).containsExactly(1L, 2L, 3L, 4L);
        assertThat(plan.together()).isEmpty();
    }

    private static PendingMessage failedBefore(long id, String key) {
        return Messages.message(id, "t", key, 3, null);
    }

    private static PendingMessage malformed(long id, String key) {
        return Messages.message(id, "t", key, 0, "[1]");
    }

    private static List<Long> ids(List<OutboxRecord> records) {
        return records.stream().map(record -> record.message().id()).toList();
    }
}
