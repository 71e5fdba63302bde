package dev.outbox.schema;

import dev.outbox.test.TestService;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A user of the shared server who has no rights but those that a test grants. */
final class DatabaseUser implements AutoCloseable {

    static final String PASSWORD = "secret";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Postgres postgres = TestServers.postgres();
    private final String url;
    private final String name;

    private DatabaseUser(String url, String name) {
        this.url = url;
        this.name = name;
    }

    /** Creates the user, for use in this database only. */
    static DatabaseUser create(String url, String role) {
        DatabaseUser user =
                new DatabaseUser(url, role + "_" + ProcessHandle.current().pid() + "_" + NUMBER.incrementAndGet());
        user.asSuperuser().execute("CREATE USER " + user.name + " PASSWORD '" + PASSWORD + "'");
        return user;
    }

    String name() {
        return name;
    }

    DataSource dataSource() {
        return new DriverManagerDataSource(url, name, PASSWORD);
    }

    JdbcTemplate jdbc() {
        return new JdbcTemplate(dataSource());
    }

    /** A service that connects as this user. */
    TestService.Builder service() {
        return TestService.on(url, postgres, TestServers.kafka())
                .with("spring.datasource.username", name)
                .with("spring.datasource.password", PASSWORD);
    }

    private JdbcTemplate asSuperuser() {
        return new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));
    }

    @Override
    public void close() {
        asSuperuser().execute("DROP OWNED BY " + name + " CASCADE; DROP USER " + name);
    }
}
