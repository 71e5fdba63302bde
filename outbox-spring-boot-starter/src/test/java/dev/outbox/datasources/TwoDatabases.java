package dev.outbox.datasources;

import dev.outbox.test.TestService;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A service with two databases: {@code orders} has the outbox, {@code reports} has nothing to do with it. */
final class TwoDatabases {

    private final Postgres postgres = TestServers.postgres();
    private final Kafka kafka = TestServers.kafka();
    private final String ordersUrl = postgres.createDatabase();
    private final String reportsUrl = postgres.createDatabase();

    /** A service that Boot gives the DataSource {@code dataSource} for the reports, unless it has others. */
    TestService.Builder service() {
        return TestService.on(reportsUrl, postgres, kafka)
                .with("test.orders.url", ordersUrl)
                .with("test.reports.url", reportsUrl)
                .with("test.user", postgres.user())
                .with("test.password", postgres.password());
    }

    JdbcTemplate orders() {
        return jdbc(ordersUrl);
    }

    JdbcTemplate reports() {
        return jdbc(reportsUrl);
    }

    Kafka kafka() {
        return kafka;
    }

    private JdbcTemplate jdbc(String url) {
        return new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));
    }
}
