package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxMessage;
import dev.outbox.test.StatementCounter;
import dev.outbox.test.TestService;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many messages cost few round trips. */
class WriteAllIntegrationTests {

    private static TestService service;
    private static StatementCounter statements;

    @BeforeAll
    static void start() {
        service = TestService.onSharedServers()
                .withoutRelay()
                .with(StatementCounter.class)
                .start();
        statements = service.bean(StatementCounter.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        service.jdbc().execute("TRUNCATE outbox_message");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tenThousandMessagesInOrderAndInAFewStatements(boolean ownIds) {
        List<OutboxMessage> messages = new ArrayList<>();
        List<UUID> own = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            OutboxMessage message = to("t").key(i % 100).type("T").json("{\"number\":" + i + "}");
            if (ownIds) {
                own.add(UUID.randomUUID());
                message.id(own.get(i));
            }
            messages.add(message);
        }

        statements.reset();
        List<UUID> ids = service.inTransaction(() -> service.writer().writeAll(messages));

        assertThat(statements.ofThisThread()).isLessThanOrEqualTo(12);
        assertThat(service.jdbc().queryForList("SELECT message_id FROM outbox_message ORDER BY id", UUID.class))
                .isEqualTo(ids);
        assertThat(service.jdbc()
                        .queryForList(
                                "SELECT (payload ->> 'number')::int FROM outbox_message ORDER BY id", Integer.class))
                .isSorted()
                .hasSize(10_000);
        if (ownIds) {
            assertThat(ids).isEqualTo(own);
        }
    }

    @Test
    void largePayloadsGoInStatementsOfBoundedSize() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            messages.add(
                    i % 2 == 0 ? to("t").payload(new byte[900_000]) : to("t").json("\"" + "x".repeat(900_000) + "\""));
        }

        statements.reset();
        List<UUID> ids = service.inTransaction(() -> service.writer().writeAll(messages));

        assertThat(statements.ofThisThread()).isEqualTo(6);
        assertThat(service.jdbc().queryForList("SELECT message_id FROM outbox_message ORDER BY id", UUID.class))
                .isEqualTo(ids);
    }

    @Test
    void oneMessageIsOneStatement() {
        statements.reset();
        service.inTransaction(() -> service.writer().write(to("t").json("{}")));
        assertThat(statements.ofThisThread()).isEqualTo(1);
    }

    @Test
    void largeKeysAndHeadersCountAsLargePayloadsDo() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            messages.add(
                    i % 2 == 0
                            ? to("t").key("k".repeat(900_000))
                            : to("t").header("h", new byte[450_000]).header("h", new byte[450_000]));
        }
        statements.reset();
        service.inTransaction(() -> service.writer().writeAll(messages));
        assertThat(statements.ofThisThread()).isEqualTo(6);
    }

    @Test
    void theServerKeepsTheStatementPlanned() {
        service.inTransaction(() -> {
            for (int i = 0; i < 50; i++) {
                service.writer().write(to("t").key(i).type("T").json("{}"));
                service.writer().write(to("t").payload(new byte[] {1}).header("h", "v"));
                service.writer().write(to("t").aggregate("a", i).payload("text").contentType("text/csv"));
            }
            // Of the same session, as it is that of the transaction.
            assertThat(service.jdbc()
                            .queryForList(
                                    "SELECT generic_plans FROM pg_prepared_statements"
                                            + " WHERE statement LIKE 'INSERT INTO outbox_message%'",
                                    Integer.class))
                    .singleElement()
                    .satisfies(plans -> assertThat(plans).isGreaterThan(120));
            return null;
        });
    }

    @Test
    void anEmptyListIsNothing() {
        statements.reset();
        List<UUID> ids = service.inTransaction(() -> service.writer().writeAll(List.of()));
        assertThat(ids).isEmpty();
        assertThat(statements.ofThisThread()).isZero();
    }
}
