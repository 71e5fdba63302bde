package dev.outbox.schema;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The tables and the relay need what only PostgreSQL has; another database would fail later, and less clearly. */
final class PostgresRequirement {

    private static final String POSTGRES = "PostgreSQL";

    private final DataSource dataSource;

    PostgresRequirement(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    void check() {
        String product;
        try (Connection connection = dataSource.getConnection()) {
            product = connection.getMetaData().getDatabaseProductName();
        } catch (SQLException e) {
            throw SchemaFailures.notReadable(e);
        }
        if (!POSTGRES.equals(product)) {
            throw new OutboxSchemaException(
                    "The outbox needs PostgreSQL, but its DataSource leads to " + product + ".",
                    "Set spring.datasource.url to a PostgreSQL database; tests get one from Testcontainers, say, as H2"
                            + " does not do in any of its modes. If the application has another DataSource that leads to"
                            + " PostgreSQL, set outbox.data-source to its name. To start without the outbox, set"
                            + " outbox.enabled=false.",
                    null);
        }
    }
}
