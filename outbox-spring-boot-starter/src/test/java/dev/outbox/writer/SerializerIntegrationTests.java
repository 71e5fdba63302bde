package dev.outbox.writer;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.InvalidOutboxMessageException;
import dev.outbox.OutboxWriter;
import dev.outbox.PayloadSerializer;
import dev.outbox.test.TestService;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Who makes JSON of an object: the application's mapper, a bean of its own, or nobody. */
class SerializerIntegrationTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestService.onSharedServers().withoutRelay().properties().entrySet().stream()
                    .map(property -> property.getKey() + "=" + property.getValue())
                    .toArray(String[]::new));

    @Test
    void withoutJacksonTextAndBytesAreFineAndObjectsRefused() {
        application
                .withClassLoader(new FilteredClassLoader("tools.jackson", "com.fasterxml.jackson"))
                .run(context -> {
                    assertThat(context).doesNotHaveBean(PayloadSerializer.class);
                    OutboxWriter writer = context.getBean(OutboxWriter.class);
                    transaction(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> {
                                assertThatExceptionOfType(InvalidOutboxMessageException.class)
                                        .isThrownBy(() -> writer.write(to("t").payload(Map.of())))
                                        .withMessageContaining("spring-boot-starter-jackson");
                                writer.write(to("t").payload("text"));
                                writer.write(to("t").payload(new byte[] {1}));
                                writer.write(to("t").json("{}"));
                                writer.write(to("t"));
                            });
                    assertThat(context.getBean(JdbcTemplate.class)
                                    .queryForObject("SELECT count(*) FROM outbox_message", Integer.class))
                            .isEqualTo(4);
                });
    }

    @Test
    void aSerializerOfTheApplicationReplacesJackson() {
        application.withUserConfiguration(OwnSerializer.class).run(context -> {
            OutboxWriter writer = context.getBean(OutboxWriter.class);
            transaction(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                writer.write(to("t").payload(1));
                assertThatExceptionOfType(InvalidOutboxMessageException.class)
                        .isThrownBy(() -> writer.write(to("t").payload(2)))
                        .withMessageContaining("no JSON")
                        .withMessageContaining("java.lang.Integer");
                assertThatExceptionOfType(InvalidOutboxMessageException.class)
                        .isThrownBy(() -> writer.write(to("t").payload(3)))
                        .withMessageContaining("returned null");
                assertThatExceptionOfType(InvalidOutboxMessageException.class)
                        .isThrownBy(() -> writer.write(to("t").payload(4)))
                        .withMessageContaining("cannot be serialized")
                        .withRootCauseInstanceOf(IllegalStateException.class);
            });
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForList("SELECT payload::text FROM outbox_message", String.class))
                    .containsExactly("{ \"own\" : 1 }");
        });
    }

    private static TransactionTemplate transaction(PlatformTransactionManager transactions) {
        return new TransactionTemplate(transactions);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class OwnSerializer {

        @Bean
        PayloadSerializer ownSerializer() {
            return payload -> switch ((Integer) payload) {
                case 1 -> "{ \"own\" : 1 }";
                case 2 -> "own";
                case 3 -> null;
                default -> throw new IllegalStateException();
            };
        }
    }
}
