package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.InvalidOutboxMessageException;
import dev.outbox.OutboxHeaders;
import dev.outbox.OutboxMessage;
import dev.outbox.OutboxTransactionException;
import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.testservers.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the writer refuses it refuses with advice, without a row, and without harm to the caller's transaction. */
class RefusalsIntegrationTests {

    private static final int MAX_PAYLOAD = 1_000;

    private static TestService service;
    private static OutboxWriter writer;

    @BeforeAll
    static void start() {
        service = TestService.onSharedServers()
                .withoutRelay()
                .with("outbox.writer.max-payload-size", MAX_PAYLOAD + "B")
                .with(Listeners.class)
                .start();
        writer = service.writer();
        service.jdbc().execute("CREATE TABLE business (done text)");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        service.jdbc().execute("TRUNCATE outbox_message, business");
    }

    static final List<Arguments> messages = List.of(
            Arguments.of("blank topic", to(" \t"), "OutboxMessage.to(...)"),
            Arguments.of("empty topic", to(""), "OutboxMessage.to(...)"),
            Arguments.of("long topic", to("t".repeat(250)), "249"),
            Arguments.of("a name that no topic can have", to("stock events!"), "can be no Kafka topic"),
            Arguments.of("a topic of dots", to(".."), "can be no Kafka topic"),
            Arguments.of("NUL in the topic", to("t\0"), "topic contains a NUL"),
            Arguments.of("NUL in the key", to("t").key("k\0"), "key contains a NUL"),
            Arguments.of(
                    "NUL in the aggregate's id",
                    to("t").aggregate("order", "\0").key("k"),
                    "aggregate id contains"),
            Arguments.of("NUL in the aggregate's type", to("t").aggregate("\0", 1), "aggregate type contains"),
            Arguments.of("NUL in the type", to("t").type("a\0b"), "type contains a NUL"),
            Arguments.of("NUL in the content type", to("t").contentType("\0"), "contentType contains a NUL"),
            Arguments.of("NUL in a header's name", to("t").header("a\0", "v"), "header name contains a NUL"),
            Arguments.of("NUL in a header's value", to("t").header("a", "\0"), "header 'a' contains a NUL"),
            Arguments.of("half a pair in the topic", to("t\uD83D"), "surrogate"),
            Arguments.of("half a pair in the key", to("t").key("\uDE80\uD83D"), "surrogate"),
            Arguments.of("half a pair in the payload", to("t").payload("\uD83D"), "Send it as bytes"),
            Arguments.of("half a pair in the JSON", to("t").json("\"\uD83D\""), "surrogate"),
            Arguments.of("half a pair in a header's name", to("t").header("\uDE80", "v"), "surrogate"),
            Arguments.of("half a pair in a header's value", to("t").header("a", "x\uD83Dy"), "surrogate"),
            Arguments.of("empty header name", to("t").header("", "v"), "empty name"),
            Arguments.of("no JSON", to("t").json("{secret}"), "payload(...)"),
            Arguments.of("empty JSON", to("t").json(""), "payload(...)"),
            Arguments.of("large bytes", to("t").payload(new byte[MAX_PAYLOAD + 1]), "outbox.writer.max-payload-size"),
            Arguments.of("large text", to("t").payload("ü".repeat(MAX_PAYLOAD / 2) + "x"), "has 1001 bytes"),
            Arguments.of("large JSON", to("t").json("\"" + "\uD83D\uDE80".repeat(250) + "\""), "has 1002 bytes"),
            Arguments.of("large object", to("t").payload(List.of("漢".repeat(333))), "has 1003 bytes"),
            Arguments.of("unserializable object", to("t").payload(new Self()), Self.class.getName()));

    @ParameterizedTest(name = "{0}")
    @FieldSource("messages")
    void aMessageThatCouldNotBeStoredOrPublished(String name, OutboxMessage message, String advice) {
        refused(message, advice);
    }

    static Stream<String> reservedNames() {
        return OutboxHeaders.RESERVED.stream();
    }

    @ParameterizedTest
    @MethodSource("reservedNames")
    void aHeaderOfTheOutboxItself(String name) {
        refused(to("t").header(name, "v"), name);
        refused(to("t").header(name, new byte[0]), name);
    }

    @Test
    void whatIsJustWithinTheBoundsIsWritten() {
        service.write(
                to("t".repeat(249)),
                to("t").payload(new byte[MAX_PAYLOAD]),
                to("t").payload("ü".repeat(MAX_PAYLOAD / 2)),
                to("t").json("\"" + "\uD83D\uDE80".repeat(249) + "..\""),
                to("t").payload(List.of("漢".repeat(332))),
                to("t").header("Event_id", "v").header(" ", "v"));

        assertThat(service.jdbc()
                        .queryForList(
                                "SELECT COALESCE(octet_length(payload::text), octet_length(payload_bytes), 0)"
                                        + " FROM outbox_message ORDER BY id",
                                Integer.class))
                .containsExactly(0, MAX_PAYLOAD, MAX_PAYLOAD, MAX_PAYLOAD, MAX_PAYLOAD, 0);
    }

    @Test
    void noTransaction() {
        assertRefusedHere("@Transactional");
        assertThat(rows()).isZero();
    }

    @Test
    void aReadOnlyTransaction() {
        TransactionTemplate readOnly = transactionTemplate();
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> {
            assertRefusedHere("read-only");
            assertThat(rows()).isZero();
        });
    }

    @Test
    void synchronizationWithoutATransaction() {
        TransactionTemplate supports = transactionTemplate();
        supports.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
        supports.executeWithoutResult(status -> {
            // Binds a connection that no transaction governs.
            assertThat(rows()).isZero();
            assertRefusedHere("@Transactional");
        });
        assertThat(rows()).isZero();
    }

    @Test
    void aTransactionThatIsSuspended() {
        service.inTransaction(() -> {
            TransactionTemplate suspending = transactionTemplate();
            suspending.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
            suspending.executeWithoutResult(status -> assertRefusedHere("@Transactional"));
            return writer.write(to("t"));
        });
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aTransactionThatHasCompleted() {
        List<Throwable> thrown = new ArrayList<>();
        service.inTransaction(() -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    attempt(thrown);
                }
            });
            return null;
        });
        assertThat(thrown).singleElement().satisfies(RefusalsIntegrationTests::completedAlready);
        assertThat(rows()).isZero();
    }

    @Test
    void anAfterCommitListener() {
        Listeners.thrown.clear();
        service.inTransaction(() -> {
            service.context().publishEvent(new Listeners.Happened());
            return null;
        });
        assertThat(Listeners.thrown).singleElement().satisfies(RefusalsIntegrationTests::completedAlready);
        assertThat(rows()).as("the BEFORE_COMMIT listener's").isEqualTo(1);
    }

    @Test
    void aTransactionOfAnotherDataSource() {
        DriverManagerDataSource other = new DriverManagerDataSource(
                TestServers.postgres().createDatabase(),
                TestServers.postgres().user(),
                TestServers.postgres().password());
        new TransactionTemplate(new DataSourceTransactionManager(other)).executeWithoutResult(status -> {
            assertRefusedHere("transaction manager of that DataSource");
            // In a transaction of the right one inside, it works.
            service.write(to("t"));
        });
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aNestedCallInATransactionThatRollsBackLeavesNothing() {
        service.inTransaction(() -> {
            writer.write(to("t").type("outer"));
            TransactionTemplate requiresNew = transactionTemplate();
            requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            requiresNew.executeWithoutResult(status -> {
                writer.write(to("t").type("inner"));
                status.setRollbackOnly();
            });
            return null;
        });
        assertThat(service.jdbc().queryForList("SELECT event_type FROM outbox_message", String.class))
                .containsExactly("outer");
    }

    private static void refused(OutboxMessage message, String advice) {
        service.inTransaction(() -> {
            assertThatExceptionOfType(InvalidOutboxMessageException.class)
                    .isThrownBy(() -> writer.write(message))
                    .withMessageContaining(advice)
                    .withMessageNotContaining("secret");
            assertThatExceptionOfType(InvalidOutboxMessageException.class)
                    .isThrownBy(() -> writer.writeAll(List.of(to("t"), message, to("t"))))
                    .withMessageContaining(advice);
            service.jdbc().update("INSERT INTO business VALUES ('done')");
            return writer.write(to("t").type("afterwards"));
        });
        assertThat(service.jdbc().queryForList("SELECT event_type FROM outbox_message"))
                .containsOnly(Map.of("event_type", "afterwards"))
                .hasSameSizeAs(service.jdbc().queryForList("SELECT done FROM business"));
    }

    private static void assertRefusedHere(String advice) {
        assertThatExceptionOfType(OutboxTransactionException.class)
                .isThrownBy(() -> writer.write(to("t")))
                .withMessageContaining(advice);
        assertThatExceptionOfType(OutboxTransactionException.class)
                .isThrownBy(() -> writer.writeAll(List.of(to("t"))))
                .withMessageContaining(advice);
    }

    private static void attempt(List<Throwable> thrown) {
        try {
            writer.write(to("t"));
        } catch (RuntimeException e) {
            thrown.add(e);
        }
    }

    private static void completedAlready(Throwable thrown) {
        assertThatThrownBy(() -> {
                    throw thrown;
                })
                .isInstanceOf(OutboxTransactionException.class)
                .hasMessageContaining("completed already")
                .hasMessageContaining("BEFORE_COMMIT");
    }

    private static int rows() {
        return service.jdbc().queryForObject("SELECT count(*) FROM outbox_message", Integer.class);
    }

    private static TransactionTemplate transactionTemplate() {
        return new TransactionTemplate(service.bean(PlatformTransactionManager.class));
    }

    /** Refers to itself, which no JSON can. */
    static final class Self {

        public Self getSelf() {
            return this;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listeners {

        static final List<Throwable> thrown = new ArrayList<>();

        @Bean
        Listener listener(OutboxWriter writer) {
            return new Listener(writer);
        }

        record Happened() {}

        static class Listener {

            private final OutboxWriter writer;

            Listener(OutboxWriter writer) {
                this.writer = writer;
            }

            @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
            public void before(Happened event) {
                writer.write(to("t"));
            }

            @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
            public void after(Happened event) {
                attempt(thrown);
            }
        }
    }
}
