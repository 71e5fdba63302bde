package dev.outbox.schema;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Applies the starter's own migrations. The Flyway object is never a bean: Boot's auto-configuration
 * backs off when it sees one, and the application's migrations would no longer run.
 */
final class FlywayMigration implements OutboxSchemaInitializer.Migration {

    private static final String LOCATION = "classpath:dev/outbox/schema/migrations";
    private static final String HISTORY = "outbox_schema_history";

    private final DataSource dataSource;
    private final @Nullable String schema;

    FlywayMigration(DataSource dataSource, @Nullable String schema) {
        this.dataSource = dataSource;
        this.schema = schema;
    }

    @Override
    public void run() {
        FluentConfiguration configuration = Flyway.configure(getClass().getClassLoader())
                .dataSource(dataSource)
                .locations(LOCATION)
                .table(HISTORY)
                // On a schema that has tables of others: start with our first migration all the same.
                .baselineOnMigrate(true)
                .baselineVersion("0");
        if (schema != null) {
            configuration.defaultSchema(schema);
        }
        try {
            configuration.load().migrate();
        } catch (FlywayException e) {
            throw new OutboxSchemaException(
                    "The outbox could not create or update its tables: " + e.getMessage()
                            + " - Add org.flywaydb:flyway-database-postgresql if that names the database as unsupported;"
                            + " where the service may not change the schema, set outbox.flyway.enabled=false and run the"
                            + " migrations yourself: the SQL is in the starter's jar, dev/outbox/schema/migrations.",
                    e);
        }
    }
}
