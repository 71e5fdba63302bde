package dev.outbox.schema;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.test.TestService;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** An administrator has run the published SQL. Flyway is there all the same, and switched on. */
@ExtendWith(OutputCaptureExtension.class)
class MadeByHandIntegrationTests {

    private final Postgres postgres = TestServers.postgres();
    private final String url = postgres.createDatabase();
    private final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));

    @BeforeEach
    void runPublishedSql() throws IOException {
        jdbc.execute("CREATE SCHEMA messaging; SET search_path = messaging;"
                + new ClassPathResource("dev/outbox/schema/migrations/V1__outbox.sql")
                        .getContentAsString(StandardCharsets.UTF_8));
    }

    @Test
    void theTablesAreTakenAsTheyAre(CapturedOutput output) {
        try (TestService started = service().start()) {
            started.write(to("t"));
        }
        assertThat(histories()).isZero();
        assertThat(output).contains("The outbox tables in schema messaging were not made by Flyway");
    }

    @Test
    void whatIsMissingInThemIsNamedNotMended() {
        jdbc.execute("DROP INDEX messaging.outbox_message_pending");
        assertThatThrownBy(() -> service().start()).hasStackTraceContaining("misses index outbox_message_pending");
        assertThat(histories()).isZero();
    }

    @Test
    void toHandThemOverToFlywayABaselineSaysWhatIsThere() {
        // As docs/migrations.md has it.
        Flyway.configure()
                .dataSource(url, postgres.user(), postgres.password())
                .defaultSchema("messaging")
                .table("outbox_schema_history")
                .baselineVersion("1")
                .load()
                .baseline();
        service().start().close();
        assertThat(jdbc.queryForList("SELECT version || type FROM messaging.outbox_schema_history", String.class))
                .containsExactly("1BASELINE");
    }

    private int histories() {
        return jdbc.queryForObject(
                "SELECT count(*) FROM pg_tables WHERE tablename = 'outbox_schema_history'", Integer.class);
    }

    private TestService.Builder service() {
        return TestService.on(url, postgres, TestServers.kafka()).withoutRelay().with("outbox.schema", "messaging");
    }
}
