package dev.outbox.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Where the starter may not create its tables, it says which are missing, and where they are to be had. */
class SchemaCheckIntegrationTests {

    private final Postgres postgres = TestServers.postgres();
    private final String url = postgres.createDatabase();
    private final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(
                    TestService.on(url, postgres, TestServers.kafka()).withoutRelay().properties().entrySet().stream()
                            .map(property -> property.getKey() + "=" + property.getValue())
                            .toArray(String[]::new))
            // The application's own would stumble over tables that it did not make.
            .withPropertyValues("spring.flyway.enabled=false");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutTablesTheStartFailsAndNamesThem(boolean withoutFlyway) {
        withoutMigrations(withoutFlyway)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(OutboxSchemaException.class)
                        .hasMessageContainingAll(
                                "table outbox_message",
                                "table outbox_lane",
                                "table processed_event",
                                "outbox.flyway.enabled",
                                "dev/outbox/schema/migrations"));
        assertThat(jdbc.queryForObject(
                        "SELECT count(*) FROM information_schema.tables WHERE table_name ~ 'outbox|processed|inbox'",
                        Integer.class))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withThePublishedSqlRunByHandItStarts(boolean withoutFlyway) throws IOException {
        runPublishedSql();
        withoutMigrations(withoutFlyway)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(OutboxWriter.class));
    }

    @Test
    void lanesWithoutTheirRowAreMissedBeforeTheirMessagesWaitForEver() throws IOException {
        runPublishedSql();
        jdbc.execute("DELETE FROM outbox_lane WHERE lane IN (7, 63)");
        withoutMigrations(false)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(OutboxSchemaException.class)
                        .hasMessageContainingAll("2 of the 64 rows of table outbox_lane"));
    }

    @Test
    void tablesInAnotherSchemaDoNotCount() throws IOException {
        runPublishedSql();
        jdbc.execute("CREATE SCHEMA other");
        withoutMigrations(false)
                .withPropertyValues("outbox.schema=other")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContainingAll("table outbox_message", "in schema other"));
    }

    @Test
    void withoutFlywayNobodyMissesIt() throws IOException {
        runPublishedSql();
        withoutMigrations(true)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("outboxMigration"));
    }

    @Test
    void switchedOffAltogetherNothingIsLookedAt() {
        withoutMigrations(false)
                .withPropertyValues("outbox.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(OutboxDatabase.class)
                        .doesNotHaveBean(OutboxWriter.class));
    }

    private ApplicationContextRunner withoutMigrations(boolean withoutFlyway) {
        return withoutFlyway
                ? application.withClassLoader(new FilteredClassLoader("org.flywaydb"))
                : application.withPropertyValues("outbox.flyway.enabled=false");
    }

    private void runPublishedSql() throws IOException {
        jdbc.execute(new ClassPathResource("dev/outbox/schema/migrations/V1__outbox.sql")
                .getContentAsString(StandardCharsets.UTF_8));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
