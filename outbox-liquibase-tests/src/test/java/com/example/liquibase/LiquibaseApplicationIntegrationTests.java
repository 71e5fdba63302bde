package com.example.liquibase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import liquibase.Liquibase;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.exception.LiquibaseException;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that migrates by Liquibase: the outbox changes nothing by itself, and offers it a changelog. */
class LiquibaseApplicationIntegrationTests {

    private static final String WITH_OUTBOX = "changelog/with-outbox.yaml";

    private static final String OF_OUTBOX = "SELECT id FROM databasechangelog WHERE author = 'dev.outbox' ORDER BY id";

    private final Postgres postgres = TestServers.postgres();
    private final String url = postgres.createDatabase();
    private final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));
    private final Map<String, Object> properties = new LinkedHashMap<>(Map.of(
            "spring.datasource.url",
            url,
            "spring.datasource.username",
            postgres.user(),
            "spring.datasource.password",
            postgres.password(),
            "spring.liquibase.change-log",
            "classpath:" + WITH_OUTBOX,
            "spring.flyway.enabled",
            false,
            "outbox.relay.enabled",
            false,
            "spring.main.banner-mode",
            "off"));

    @Test
    void thePublishedChangelogMakesTheTablesBeforeTheyAreLookedFor() {
        for (int start = 0; start < 2; start++) {
            startAndWrite();
        }
        assertThat(jdbc.queryForList(OF_OUTBOX, String.class)).containsExactly("1");
        assertThat(tables("public"))
                .contains("orders", "outbox_message", "outbox_lane", "processed_event", "inbox_message")
                .doesNotContain("outbox_schema_history", "flyway_schema_history");
        assertThat(jdbc.queryForObject("SELECT count(*) FROM outbox_message", Integer.class))
                .isEqualTo(2);
    }

    @Test
    void withoutTheChangelogNothingIsChangedAndTheStartSaysWhatIsMissing() {
        properties.put("spring.liquibase.change-log", "classpath:changelog/application.sql");
        assertThatThrownBy(this::start)
                .hasStackTraceContaining("misses table outbox_message")
                .hasStackTraceContaining("a Liquibase changelog in dev/outbox/schema/liquibase");
        assertThat(tables("public")).containsExactlyInAnyOrder("orders", "databasechangelog", "databasechangeloglock");
    }

    @Test
    void theDefaultSchemaOfLiquibaseIsThatOfTheTables() {
        jdbc.execute("CREATE SCHEMA messaging");
        properties.put("spring.liquibase.default-schema", "messaging");
        properties.put("outbox.schema", "messaging");
        startAndWrite();
        assertThat(tables("messaging")).contains("outbox_message", "databasechangelog");
        assertThat(tables("public")).isEmpty();
    }

    @Test
    void besideFlywayTheTablesOfTheChangelogAreLeftToLiquibase() {
        properties.put("spring.flyway.enabled", true);
        properties.put("spring.flyway.baseline-on-migrate", true);
        startAndWrite();
        assertThat(jdbc.queryForList(OF_OUTBOX, String.class)).containsExactly("1");
        assertThat(tables("public")).contains("flyway_schema_history").doesNotContain("outbox_schema_history");
    }

    @Test
    void besideFlywayAndWithoutTheChangelogFlywayMakesTheTables() {
        properties.put("spring.liquibase.change-log", "classpath:changelog/application.sql");
        properties.put("outbox.flyway.enabled", true);
        startAndWrite();
        assertThat(tables("public"))
                .contains("orders", "outbox_message", "outbox_schema_history")
                .doesNotContain("flyway_schema_history");
    }

    @Test
    void whatFlywayHasMadeCanBeHandedOverToLiquibase() throws LiquibaseException {
        properties.put("spring.liquibase.change-log", "classpath:changelog/application.sql");
        properties.put("outbox.flyway.enabled", true);
        startAndWrite();

        // As docs/migrations.md has it.
        jdbc.execute("DROP TABLE outbox_schema_history");
        try (Liquibase liquibase = new Liquibase(WITH_OUTBOX, new ClassLoaderResourceAccessor(), database())) {
            liquibase.changeLogSync("");
        }
        properties.put("spring.liquibase.change-log", "classpath:" + WITH_OUTBOX);
        startAndWrite();
        assertThat(jdbc.queryForList(OF_OUTBOX, String.class)).containsExactly("1");
        assertThat(tables("public")).doesNotContain("outbox_schema_history");
    }

    private Database database() throws LiquibaseException {
        return DatabaseFactory.getInstance()
                .openDatabase(url, postgres.user(), postgres.password(), null, new ClassLoaderResourceAccessor());
    }

    private void startAndWrite() {
        try (ConfigurableApplicationContext context = start()) {
            OutboxWriter outbox = context.getBean(OutboxWriter.class);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> outbox.write(OutboxMessage.to("order.events")));
        }
    }

    private ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties(properties)
                .run();
    }

    private List<String> tables(String schema) {
        return jdbc.queryForList("SELECT tablename FROM pg_tables WHERE schemaname = ?", String.class, schema);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
