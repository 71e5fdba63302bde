package dev.outbox.schema;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.test.TestService;
import dev.outbox.testservers.TestServers;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The service's user often may not change tables. Who migrates the application's migrates those of the outbox too. */
class MigrationUserIntegrationTests {

    private static final String TABLE_OWNER =
            "SELECT tableowner FROM pg_tables WHERE tablename IN ('outbox_message', 'outbox_schema_history')";

    private final String url = TestServers.postgres().createDatabase();
    private final JdbcTemplate superuser = superuser(url);
    private DatabaseUser owner;
    private DatabaseUser service;

    @BeforeEach
    void createUsers() {
        owner = DatabaseUser.create(url, "owner");
        service = DatabaseUser.create(url, "service");
        superuser.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC; GRANT CREATE ON SCHEMA public TO " + owner.name()
                + "; ALTER DEFAULT PRIVILEGES FOR ROLE " + owner.name()
                + " IN SCHEMA public GRANT SELECT, INSERT, UPDATE ON TABLES TO " + service.name());
    }

    @AfterEach
    void dropUsers() {
        service.close();
        owner.close();
    }

    @Test
    void theUserOfFlywayMakesTheTables() {
        assertMadeByOwner(service.service()
                .with("spring.flyway.user", owner.name())
                .with("spring.flyway.password", DatabaseUser.PASSWORD));
    }

    @Test
    void theUserOfFlywaysOwnAddressMakesTheTables() {
        assertMadeByOwner(service.service()
                .with("spring.flyway.url", url.replace("localhost", "127.0.0.1"))
                .with("spring.flyway.user", owner.name())
                .with("spring.flyway.password", DatabaseUser.PASSWORD));
    }

    @Test
    void theFlywayDataSourceMakesTheTables() {
        assertMadeByOwner(service.service()
                .with(WithFlywayDataSource.class)
                .with("test.flyway.url", url)
                .with("test.flyway.user", owner.name()));
    }

    @Test
    void theRoleThatFlywayTakesOnOwnsTheTables() {
        superuser.execute("GRANT " + owner.name() + " TO " + service.name());
        assertMadeByOwner(service.service()
                .with("spring.flyway.user", service.name())
                .with("spring.flyway.password", DatabaseUser.PASSWORD)
                .with("spring.flyway.init-sqls", "SET ROLE " + owner.name()));
    }

    @Test
    void theTablesAreWhereTheServiceLooksForThemNotWhereTheirMakerWould() {
        superuser.execute(
                "CREATE SCHEMA app; GRANT ALL ON SCHEMA app TO " + owner.name() + "; GRANT USAGE ON SCHEMA app TO "
                        + service.name() + "; ALTER USER " + service.name()
                        + " SET search_path = app; ALTER DEFAULT PRIVILEGES FOR"
                        + " ROLE " + owner.name() + " IN SCHEMA app GRANT SELECT, INSERT, UPDATE ON TABLES TO "
                        + service.name());
        assertMadeByOwner(service.service()
                .with("spring.flyway.user", owner.name())
                .with("spring.flyway.password", DatabaseUser.PASSWORD));
        assertThat(superuser.queryForList(
                        "SELECT schemaname FROM pg_tables WHERE tablename = 'outbox_message'", String.class))
                .containsExactly("app");
    }

    @Test
    void aFlywayOfAnotherDatabaseIsLeftToItsOwn() {
        String other = TestServers.postgres().createDatabase();
        superuser.execute("GRANT CREATE ON SCHEMA public TO " + service.name());
        service.service()
                .withoutRelay()
                .with("spring.flyway.locations", "classpath:application-migrations")
                .with("spring.flyway.url", other)
                .with("spring.flyway.user", TestServers.postgres().user())
                .with("spring.flyway.password", TestServers.postgres().password())
                .start()
                .close();
        assertThat(superuser.queryForList(TABLE_OWNER, String.class)).hasSize(2).containsOnly(service.name());
        assertThat(superuser(other)
                        .queryForList("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", String.class))
                .containsExactlyInAnyOrder("flyway_schema_history", "orders", "order_lines");
    }

    @Test
    void withoutAnyoneWhoMayTheFailureSaysWhatToDo() {
        assertThatThrownBy(() -> service.service()
                        .withoutRelay()
                        .with("spring.flyway.enabled", false)
                        .with("outbox.flyway.enabled", true)
                        .start())
                .hasStackTraceContaining("permission denied for schema public")
                .hasStackTraceContaining("spring.flyway.user")
                .hasStackTraceContaining("outbox.flyway.enabled=false")
                .hasStackTraceContaining("dev/outbox/schema/migrations");
    }

    @Test
    void aServiceThatMayNotChangeTablesStartsOnceTheyAreUpToDate() {
        assertMadeByOwner(service.service()
                .with("spring.flyway.user", owner.name())
                .with("spring.flyway.password", DatabaseUser.PASSWORD));
        service.service()
                .withoutRelay()
                .with("spring.flyway.enabled", false)
                .with("outbox.flyway.enabled", true)
                .start()
                .close();
    }

    private void assertMadeByOwner(TestService.Builder builder) {
        try (TestService started = builder.withoutRelay()
                .with("spring.flyway.locations", "classpath:application-migrations")
                .start()) {
            assertThat(started.write(to("t"))).hasSize(1);
            assertThat(started.jdbc().queryForObject("SELECT session_user", String.class))
                    .isEqualTo(service.name());
        }
        List<String> owners = superuser.queryForList(TABLE_OWNER, String.class);
        assertThat(owners).hasSize(2).containsOnly(owner.name());
    }

    private static JdbcTemplate superuser(String url) {
        return new JdbcTemplate(new DriverManagerDataSource(
                url, TestServers.postgres().user(), TestServers.postgres().password()));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithFlywayDataSource {

        @Bean(defaultCandidate = false)
        @FlywayDataSource
        DataSource migrations(@Value("${test.flyway.url}") String url, @Value("${test.flyway.user}") String user) {
            return new DriverManagerDataSource(url, user, DatabaseUser.PASSWORD);
        }
    }
}
