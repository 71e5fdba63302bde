package dev.outbox.schema;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.test.RelayProcess;
import dev.outbox.test.TestService;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The starter brings its tables itself, beside whatever the application has. */
class MigrationIntegrationTests {

    private static final String OURS = "SELECT version FROM outbox_schema_history ORDER BY installed_rank";

    private final Postgres postgres = TestServers.postgres();
    private final String url = postgres.createDatabase();
    private final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));

    @Test
    void anEmptyDatabaseGetsTheTables() {
        try (TestService service = service().start()) {
            service.write(to("t"));
            assertThat(service.pending()).isEqualTo(1);
        }
        assertThat(jdbc.queryForList(OURS, String.class)).contains("1");
        assertThat(jdbc.queryForList("SELECT lane FROM outbox_lane ORDER BY lane", Integer.class))
                .hasSize(64)
                .startsWith(0)
                .endsWith(63);
        assertThat(jdbc.queryForList("SELECT * FROM outbox_dead_letters")).isEmpty();
    }

    @Test
    void anotherStartChangesNothing() {
        service().start().close();
        List<String> history = jdbc.queryForList(
                "SELECT installed_rank || ':' || installed_on FROM outbox_schema_history", String.class);
        service().start().close();
        assertThat(jdbc.queryForList(
                        "SELECT installed_rank || ':' || installed_on FROM outbox_schema_history", String.class))
                .isEqualTo(history);
    }

    @Test
    void theApplicationsMigrationsComeFirstAndKeepTheirHistory() {
        for (int start = 0; start < 2; start++) {
            try (TestService service = service()
                    .with("spring.flyway.locations", "classpath:application-migrations")
                    .start()) {
                assertThat(service.context().getBeansOfType(Flyway.class)).hasSize(1);
                assertThat(jdbc.queryForList(
                                "SELECT version FROM flyway_schema_history ORDER BY installed_rank", String.class))
                        .containsExactly("1", "57");
                assertThat(jdbc.queryForList(OURS, String.class)).contains("1");
                assertThat(service.write(to("t"))).hasSize(1);
            }
        }
    }

    @Test
    void anApplicationThatMigratedBeforeItHadAnOutboxGoesOn() {
        TestService.Builder before = service()
                .with("spring.flyway.locations", "classpath:application-migrations")
                .with("outbox.enabled", false);
        before.start().close();
        assertThat(tables("public")).contains("orders").doesNotContain("outbox_message");

        service()
                .with("spring.flyway.locations", "classpath:application-migrations")
                .start()
                .close();
        assertThat(tables("public")).contains("orders", "outbox_message");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOldSchemaWithTablesOfOthersGetsOursBeside(boolean withoutFlywayOfTheApplication) {
        jdbc.execute(
                "CREATE TABLE legacy (id int); INSERT INTO legacy VALUES (1); CREATE VIEW v AS SELECT * FROM legacy");
        TestService.Builder service = service();
        if (withoutFlywayOfTheApplication) {
            service.with("spring.flyway.enabled", false).with("outbox.flyway.enabled", true);
        } else {
            service.with("spring.flyway.baseline-on-migrate", true);
        }
        service.start().close();
        assertThat(jdbc.queryForList("SELECT id FROM legacy", Integer.class)).containsExactly(1);
        assertThat(tables("public")).contains("legacy", "outbox_message", "processed_event", "inbox_message");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not_there_yet"})
    void threeInstancesStartAtOnce(String schema) throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> starts = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                starts.add(threads.submit(() -> {
                    TestService.Builder service =
                            service().with("spring.flyway.locations", "classpath:application-migrations");
                    if (!schema.isEmpty()) {
                        service.with("outbox.schema", schema);
                    }
                    together.await(60, TimeUnit.SECONDS);
                    // Not by SpringApplication, whose logging is set up once per JVM.
                    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
                        context.getEnvironment()
                                .getPropertySources()
                                .addFirst(new MapPropertySource("service", service.properties()));
                        context.register(Application.class);
                        context.refresh();
                    }
                    return null;
                }));
            }
            for (Future<?> start : starts) {
                start.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(tables(schema.isEmpty() ? "public" : schema)).contains("outbox_message", "outbox_schema_history");
        assertThat(jdbc.queryForList("SELECT version FROM flyway_schema_history", String.class))
                .containsExactly("1", "57");
    }

    @Test
    void threeProcessesStartAtOnce() {
        List<RelayProcess> processes = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                processes.add(RelayProcess.start(
                        "migrates-" + i,
                        TestService.on(url, postgres, TestServers.kafka())
                                .with("spring.flyway.locations", "classpath:application-migrations")));
            }
            processes.forEach(RelayProcess::awaitReady);
        } finally {
            processes.forEach(RelayProcess::close);
        }
        assertThat(jdbc.queryForList(OURS, String.class)).containsExactly("0", "1");
        assertThat(jdbc.queryForObject("SELECT count(*) FROM outbox_lane", Integer.class))
                .isEqualTo(64);
    }

    @Test
    void theApplicationsTableSchemaLocationsAndPlaceholdersAreItsOwn() {
        TestService.Builder service = service()
                .with("spring.flyway.locations", "classpath:application-migrations")
                .with("spring.flyway.table", "outbox_schema_version")
                .with("spring.flyway.schemas", "orders,archive")
                .with("spring.flyway.target", "1")
                .with("spring.flyway.placeholders.schema", "archive");
        service.start().close();
        assertThat(tables("orders")).containsExactlyInAnyOrder("outbox_schema_version", "orders");
        assertThat(tables("archive")).isEmpty();
        // Where the service's statements look, not where its Flyway does.
        assertThat(tables("public")).contains("outbox_message", "outbox_schema_history");
    }

    @Test
    void switchedOffItChangesNothingThoughTheApplicationMigrates() {
        assertThatThrownBy(() -> service()
                        .with("spring.flyway.locations", "classpath:application-migrations")
                        .with("outbox.flyway.enabled", false)
                        .start())
                .hasStackTraceContaining("table outbox_message");
        assertThat(tables("public")).containsExactlyInAnyOrder("flyway_schema_history", "orders", "order_lines");
    }

    @Test
    void switchedOffForTheApplicationItIsSwitchedOff() {
        assertThatThrownBy(() -> service().with("spring.flyway.enabled", false).start())
                .hasStackTraceContaining("table outbox_message");
        assertThat(tables("public")).isEmpty();
    }

    @Test
    void itMayMigrateWhereTheApplicationDoesNot() {
        service()
                .with("spring.flyway.enabled", false)
                .with("outbox.flyway.enabled", true)
                .start()
                .close();
        assertThat(tables("public")).contains("outbox_message").doesNotContain("flyway_schema_history");
    }

    @Test
    void tablesFurtherAlongTheSearchPathAreKeptUpToDateWhereTheyAre() {
        jdbc.execute("CREATE SCHEMA first; CREATE SCHEMA second");
        startOn("second");
        startOn("first,second");
        assertThat(tables("first")).isEmpty();
        assertThat(jdbc.queryForList("SELECT version FROM second.outbox_schema_history", String.class))
                .contains("1");
    }

    private void startOn(String searchPath) {
        TestService.on(url + "?currentSchema=" + searchPath, postgres, TestServers.kafka())
                .withoutRelay()
                .with("spring.flyway.enabled", false)
                .with("outbox.flyway.enabled", true)
                .start()
                .close();
    }

    private List<String> tables(String schema) {
        return jdbc.queryForList(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = ?", String.class, schema);
    }

    private TestService.Builder service() {
        return TestService.on(url, postgres, TestServers.kafka()).withoutRelay();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
