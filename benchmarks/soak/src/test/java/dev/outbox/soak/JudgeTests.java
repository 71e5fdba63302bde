package dev.outbox.soak;

import static dev.outbox.soak.Row.State.DEAD;
import static dev.outbox.soak.Row.State.PENDING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A judge that cannot fail proves nothing: each promise is broken here once, and has to be seen to be. */
class JudgeTests {

    private final Scene scene = new Scene();

    @Test
    void whatIsRightIsFoundRight() {
        Verdict verdict = scene.transaction("a", "b", "a")
                .transaction("a", null)
                .arrive(2, 1, 5, 3, 4)
                .verdict();

        assertThat(verdict.clean()).isTrue();
        assertThat(verdict.distinct()).isEqualTo(5);
        assertThat(verdict.repeats()).isZero();
    }

    @Test
    void aMessageThatDidNotArriveIsLostWhateverItsRowSays() {
        assertOnly(scene.transaction("a", "b").arrive(1).verdict(), Violation.LOST, 1);
    }

    @Test
    void aMessageThatStillWaitsInTheEndIsLost() {
        assertOnly(scene.transaction("a", "b").arrive(1).state(2, PENDING, 0).verdict(), Violation.LOST, 1);
    }

    @Test
    void aMessageWithoutKeyCanBeLostToo() {
        assertOnly(scene.transaction("a", null).arrive(1).verdict(), Violation.LOST, 1);
    }

    @Test
    void aRecordThatNobodyCommittedIsInvented() {
        scene.transaction("a").arrive(1, 1);
        spoil(1, record -> withEventId(record, UUID.randomUUID().toString()));
        assertOnly(scene.verdict(), Violation.INVENTED, 1);
    }

    @Test
    void aRecordWithoutAProperEventIdIsInvented() {
        scene.transaction("a").arrive(1, 1, 1);
        spoil(1, record -> withEventId(record, "no uuid"));
        spoil(2, record -> withEventId(record, null));
        assertOnly(scene.verdict(), Violation.INVENTED, 2);
    }

    @Test
    void aMessageThatComesAfterALaterOneOfItsKeyIsOutOfOrder() {
        assertOnly(scene.transaction("a").transaction("a").arrive(2, 1).verdict(), Violation.OUT_OF_ORDER, 1);
    }

    @Test
    void theOrderWithinATransactionCounts() {
        assertOnly(scene.transaction("a", "a", "a").arrive(1, 3, 2).verdict(), Violation.OUT_OF_ORDER, 1);
    }

    @Test
    void theOrderWithinATransactionIsThatOfTheCallsAndNotThatOfTheRows() {
        scene.transaction("a", "a");
        Row first = scene.rows.get(0);
        Row second = scene.rows.get(1);
        scene.rows.set(0, withId(second, 1));
        scene.rows.set(1, withId(first, 2));
        assertOnly(scene.arrive(1, 2).verdict(), Violation.OUT_OF_ORDER, 1);
    }

    @Test
    void keysHaveNoOrderAmongEachOtherAndNeitherHaveMessagesWithoutAKey() {
        assertThat(scene.transaction("a", "b")
                        .transaction(null, null)
                        .arrive(4, 3, 2, 1)
                        .verdict()
                        .clean())
                .isTrue();
    }

    @Test
    void aRepeatOfAnEarlierMessageIsNoDisorder() {
        Verdict verdict =
                scene.transaction("a").transaction("a").arrive(1, 2, 1, 2, 1).verdict(3);

        assertThat(verdict.clean()).isTrue();
        assertThat(verdict.repeats()).isEqualTo(3);
        assertThat(verdict.mostRepeats()).isEqualTo(2);
    }

    @Test
    void aRepeatDoesNotMakeUpForAFirstOccurrenceThatWasLate() {
        assertOnly(scene.transaction("a").transaction("a").arrive(2, 1, 2).verdict(1), Violation.OUT_OF_ORDER, 1);
    }

    @Test
    void moreRepeatsThanTheFaultsExplainAreTooMany() {
        assertOnly(scene.transaction("a").arrive(1, 1, 1).verdict(1), Violation.TOO_MANY_REPEATS, 1);
    }

    @Test
    void aLowerIdThatCommittedLaterMayComeEitherWay() {
        scene.transaction(10, 90, 100, "a").transaction(20, 30, 40, "a");
        assertThat(scene.arrive(2, 1).verdict().clean()).isTrue();
        scene.delivered.clear();
        assertThat(scene.arrive(1, 2).verdict().clean()).isTrue();
    }

    @Test
    void aLowerIdThatSurelyCommittedFirstComesFirstEvenIfTheTransactionsOverlapped() {
        scene.transaction(10, 30, 40, "a").transaction(20, 50, 60, "a");
        assertOnly(scene.arrive(2, 1).verdict(), Violation.OUT_OF_ORDER, 1);
    }

    @Test
    void commitsAtTheSameTimeMayComeEitherWay() {
        scene.transaction(10, 30, 50, "a").transaction(20, 40, 60, "a");
        assertThat(scene.arrive(2, 1).verdict().clean()).isTrue();
    }

    @Test
    void whatWasWrittenAfterALateCommitComesAfterIt() {
        scene.transaction(10, 90, 100, "a").transaction(20, 30, 40, "a").transaction(110, 120, 130, "a");
        assertOnly(scene.arrive(2, 3, 1).verdict(), Violation.OUT_OF_ORDER, 1);
    }

    @Test
    void whatBeganAfterACommitComesAfterItWhateverItsId() {
        scene.transaction(50, 60, 70, "a").transaction(10, 20, 30, "a");
        assertOnly(scene.arrive(1, 2).verdict(), Violation.OUT_OF_ORDER, 1);
    }

    @Test
    void aKeyInTwoPartitionsHasNoOrder() {
        scene.transaction("a").transaction("a").arrive(1, 2);
        spoil(
                1,
                record -> new Delivered(
                        record.topic(),
                        1,
                        0,
                        record.eventId(),
                        record.sequence(),
                        record.position(),
                        record.key(),
                        record.payload()));
        assertOnly(scene.verdict(), Violation.OUT_OF_ORDER, 1);
    }

    @Test
    void anotherPayloadKeyOrHeaderIsAnAlteration() {
        scene.transaction("a", "b", "c", "d", "e").arrive(1, 2, 3, 4, 5);
        spoil(0, record -> with(record, record.sequence(), record.position(), record.key(), null));
        spoil(
                1,
                record -> with(
                        record, record.sequence(), record.position(), record.key(), Digest.of("x".getBytes(UTF_8))));
        spoil(2, record -> with(record, record.sequence(), record.position(), "other", record.payload()));
        spoil(3, record -> with(record, "77", record.position(), record.key(), record.payload()));
        spoil(4, record -> with(record, record.sequence(), null, record.key(), record.payload()));
        assertOnly(scene.verdict(), Violation.ALTERED, 5);
    }

    @Test
    void aMessageThatArrivedAndIsNotMarkedIsFound() {
        assertOnly(scene.transaction("a").arrive(1).state(1, PENDING, 0).verdict(), Violation.UNMARKED, 1);
    }

    @Test
    void aCommittedTransactionWithoutItsRowIsFound() {
        scene.transaction("a", "b");
        scene.rows.remove(1);
        assertOnly(scene.arrive(1).verdict(), Violation.MISSING_ROW, 1);
    }

    @Test
    void aCommittedTransactionWithoutItsBusinessIsFound() {
        scene.transaction("a").arrive(1).business.clear();
        assertOnly(scene.verdict(), Violation.MISSING_ROW, 1);
    }

    @Test
    void aRowOfATransactionThatDidNotCommitIsFound() {
        scene.transaction("a").transaction("b").arrive(1, 2).written.remove(1);
        Verdict verdict = scene.verdict();
        assertThat(verdict.of(Violation.UNCOMMITTED_ROW))
                .as("the row and the business")
                .hasSize(2);
    }

    @Test
    void aRowThatIsNotWhatWasWrittenIsFound() {
        scene.transaction("a");
        Row row = scene.rows.get(0);
        scene.rows.set(0, new Row(1, row.messageId(), row.topic(), row.key(), null, 0, row.state()));
        assertOnly(scene.arrive(1).verdict(), Violation.WRONG_ROW, 1);
    }

    @Test
    void poisonMayDieAndTheRestOfItsKeyGoesOn() {
        scene.transaction("poison", "poison").arrive(2).state(1, DEAD, 5);
        markAsGood(2);
        Verdict verdict = scene.verdict();
        assertThat(verdict.clean()).isTrue();
        assertThat(verdict.dead()).isEqualTo(1);
    }

    @Test
    void poisonThatIsStillTriedHoldsItsKeyAndNothingElse() {
        scene.transaction("poison", "poison", "a")
                .arrive(3)
                .state(1, PENDING, 5)
                .state(2, PENDING, 0);
        markAsGood(2);
        Verdict verdict = scene.verdict();
        assertThat(verdict.clean()).isTrue();
        assertThat(verdict.heldBehindPoison()).isEqualTo(1);
    }

    @Test
    void aMessageThatOvertookOneThatIsStillTriedIsOutOfOrder() {
        scene.transaction("poison", "poison").arrive(2).state(1, PENDING, 5);
        markAsGood(2);
        assertOnly(scene.verdict(), Violation.OUT_OF_ORDER, 1);
    }

    @Test
    void poisonThatWasNeverTriedIsLost() {
        assertOnly(scene.transaction("poison").state(1, PENDING, 0).verdict(), Violation.LOST, 1);
    }

    @Test
    void poisonThatArrivesIsNone() {
        scene.transaction("poison").arrive(1).state(1, DEAD, 5);
        assertOnly(scene.verdict(), Violation.POISON_TAKEN, 1);
    }

    @Test
    void aGoodMessageThatUsedAnAttemptOrDiedIsBlamed() {
        scene.transaction("a", "b").arrive(1).state(1, Row.State.PUBLISHED, 1).state(2, DEAD, 5);
        Verdict verdict = scene.verdict();
        assertThat(verdict.of(Violation.BLAMED)).hasSize(2);
        assertThat(verdict.of(Violation.LOST)).as("the one that died").hasSize(1);
    }

    private void markAsGood(int id) {
        Written transaction = scene.written.get(0);
        List<Written.Message> messages = transaction.messages();
        Written.Message message = messages.get(id - 1);
        messages.set(
                id - 1,
                new Written.Message(
                        message.index(), message.id(), message.topic(), message.key(), message.payload(), false));
    }

    private void spoil(int index, UnaryOperator<Delivered> change) {
        scene.delivered.set(index, change.apply(scene.delivered.get(index)));
    }

    private static Delivered withEventId(Delivered record, String eventId) {
        return new Delivered(
                record.topic(),
                record.partition(),
                record.offset(),
                eventId,
                record.sequence(),
                record.position(),
                record.key(),
                record.payload());
    }

    private static Delivered with(Delivered record, String sequence, String position, String key, Digest payload) {
        return new Delivered(
                record.topic(),
                record.partition(),
                record.offset(),
                record.eventId(),
                sequence,
                position,
                key,
                payload);
    }

    private static Row withId(Row row, long id) {
        return new Row(id, row.messageId(), row.topic(), row.key(), row.payload(), row.attempts(), row.state());
    }

    private static void assertOnly(Verdict verdict, Violation expected, int times) {
        assertThat(verdict.clean()).isFalse();
        assertThat(Arrays.stream(Violation.values())
                        .filter(kind -> !verdict.of(kind).isEmpty()))
                .containsExactly(expected);
        assertThat(verdict.of(expected)).hasSize(times);
    }
}
