package dev.outbox.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.OutboxDataSource;
import dev.outbox.test.RelayProcess;
import dev.outbox.test.TestService;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The likeliest mistakes in setting the outbox up: what a person reads under APPLICATION FAILED TO START. Likely are
 * those that a service makes by what it already has: a second DataSource, tables or rights that its database user
 * lacks, Flyway without its module, H2 in its tests; and values that are not allowed.
 */
@ExtendWith(OutputCaptureExtension.class)
class SetupFailuresIntegrationTests {

    private final Postgres postgres = TestServers.postgres();
    private final String url = postgres.createDatabase();

    @Test
    void severalDataSources(CapturedOutput output) {
        assertReport(
                output,
                service().with(TwoDataSources.class).with("spring.flyway.enabled", false),
                "The application has several DataSources, and none of them is the primary one: 'one', 'two'.",
                "Set outbox.data-source to the name of the one whose transactions carry the messages, or mark its bean"
                        + " with @OutboxDataSource.");
    }

    @Test
    void severalMarkedDataSources(CapturedOutput output) {
        assertReport(
                output,
                service().with(TwoMarked.class).with("spring.flyway.enabled", false),
                "There is more than one DataSource with @OutboxDataSource: 'one', 'two'.",
                "Set outbox.data-source");
    }

    @Test
    void aDataSourceThatNobodyGetsUnasked(CapturedOutput output) {
        assertReport(
                output,
                service()
                        .with(OnAskingOnly.class)
                        .with(
                                "spring.autoconfigure.exclude",
                                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"),
                "No DataSource is there for the outbox without being asked for by name: 'one'.",
                "Set outbox.data-source");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nowhere | but there is none of this name.",
                "outboxWakeUp | but that is a dev.outbox.relay.WakeUp, not a DataSource."
            })
    void aNameThatIsNoDataSources(String name, String problem, CapturedOutput output) {
        assertReport(
                output,
                service().with("outbox.data-source", name),
                "The property outbox.data-source names the bean '" + name + "', " + problem,
                "Set outbox.data-source to the name of a DataSource bean: 'dataSource'.");
    }

    @Test
    void tablesThatNobodyMade(CapturedOutput output) {
        assertReport(
                output,
                service().with("outbox.flyway.enabled", false),
                "The outbox misses table outbox_message, table outbox_lane, table outbox_relay, view outbox_dead_letters, table"
                        + " processed_event, table inbox_message, which it looks for along the search path.",
                "run the migrations: the SQL is in the starter's jar, dev/outbox/schema/migrations");
    }

    @Test
    void aUserWhoMayNotMakeTables(CapturedOutput output) {
        superuser().execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
        try (DatabaseUser user = DatabaseUser.create(url, "service")) {
            assertReport(
                    output,
                    user.service().with("spring.flyway.enabled", false).with("outbox.flyway.enabled", true),
                    "The outbox could not create or update its tables: ERROR: permission denied for schema public",
                    "Give the database user the right that it lacks. To have the tables made by another user, set"
                            + " spring.flyway.user and spring.flyway.password, or mark a DataSource with"
                            + " @FlywayDataSource. To make them yourself, set outbox.flyway.enabled=false");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void flywayWithoutItsModule(boolean forTheApplication) {
        try (RelayProcess process = RelayProcess.startWithout(
                archive -> archive.startsWith("flyway-database-postgresql"),
                "without-module",
                service().with("spring.flyway.enabled", forTheApplication).with("outbox.flyway.enabled", true))) {
            assertThatThrownBy(process::awaitReady)
                    .hasMessageContaining("APPLICATION FAILED TO START")
                    .hasMessageContaining("Flyway is on the class path without its module for PostgreSQL")
                    .hasMessageContaining("Add the dependency org.flywaydb:flyway-database-postgresql.");
        }
    }

    @Test
    void aDatabaseThatIsNoPostgres(CapturedOutput output) {
        assertReport(
                output,
                service()
                        .with("spring.datasource.url", "jdbc:h2:mem:orders;MODE=PostgreSQL")
                        .with("spring.flyway.enabled", false)
                        .with("outbox.flyway.enabled", true),
                "The outbox needs PostgreSQL, but its DataSource leads to H2.",
                "set outbox.enabled=false.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "outbox.relay.batch-size | 0 | must be between 1 and 10000.",
                "outbox.relay.poll-interval | 2h | must be between 1ms and 1h.",
                "outbox.schema | a-b | must be the name of a schema: a letter or underscore, then at most 62 letters"
            })
    void aValueThatIsNotAllowed(String property, String value, String reason, CapturedOutput output) {
        assertReport(
                output,
                service().with(property, value),
                "The property " + property + " has the value '" + value + "', but it " + reason,
                "Set " + property + " to an allowed value, or leave it out to have its default.");
    }

    @Test
    void aValueOfAnotherType(CapturedOutput output) {
        assertReport(
                output,
                service().with("outbox.relay.batch-bytes", "much"),
                "Property: outbox.relay.batch-bytes",
                "Update your application's configuration");
        assertThat(output).contains("Value: \"much\"", "'much' does not match data size pattern");
    }

    @Test
    void rightsThatTheRelayLacks(CapturedOutput output) {
        service().withoutRelay().start().close();
        try (DatabaseUser user = DatabaseUser.create(url, "service")) {
            superuser().execute("GRANT SELECT, INSERT ON outbox_message TO " + user.name());
            assertReport(
                    output,
                    user.service().with("spring.flyway.enabled", false),
                    "The database user " + user.name() + " lacks rights that the relay needs: UPDATE ON outbox_message,"
                            + " SELECT ON outbox_lane, UPDATE ON outbox_lane.",
                    "GRANT them to " + user.name());
            // Who only writes does without.
            user.service()
                    .with("spring.flyway.enabled", false)
                    .withoutRelay()
                    .start()
                    .close();
        }
    }

    @Test
    void aPoolerThatSharesPreparedStatements(CapturedOutput output) {
        assertReport(
                output,
                TestService.on(url + "?prepareThreshold=1", postgres, TestServers.kafka())
                        .with("spring.flyway.enabled", false)
                        .with("spring.datasource.hikari.connection-init-sql", "PREPARE \"S_1\" AS SELECT 1"),
                "The outbox cannot read which tables its database has: ERROR: prepared statement \"S_1\" already"
                        + " exists",
                "Add prepareThreshold=0 to the JDBC URL, or set PgBouncer's max_prepared_statements");
    }

    private static void assertReport(
            CapturedOutput output, TestService.Builder service, String description, String action) {
        assertThatThrownBy(service::start).isNotNull();
        assertThat(output).contains("APPLICATION FAILED TO START");
        String report = output.getOut().substring(output.getOut().indexOf("APPLICATION FAILED TO START"));
        assertThat(report.substring(0, report.indexOf("Action:"))).contains("Description:", description);
        assertThat(report.substring(report.indexOf("Action:"))).contains(action);
    }

    private TestService.Builder service() {
        return TestService.on(url, postgres, TestServers.kafka());
    }

    private JdbcTemplate superuser() {
        return new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource one() {
            return new DriverManagerDataSource();
        }

        @Bean
        DataSource two() {
            return new DriverManagerDataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoMarked {

        @Bean
        @OutboxDataSource
        DataSource one() {
            return new DriverManagerDataSource();
        }

        @Bean(defaultCandidate = false)
        @OutboxDataSource
        DataSource two() {
            return new DriverManagerDataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnAskingOnly {

        @Bean(defaultCandidate = false)
        DataSource one() {
            return new DriverManagerDataSource();
        }
    }
}
