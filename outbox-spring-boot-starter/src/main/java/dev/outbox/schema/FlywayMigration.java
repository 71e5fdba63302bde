package dev.outbox.schema;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;

/**
 * Applies the starter's own migrations. The Flyway object is never a bean: Boot's auto-configuration
 * backs off when it sees one, and the application's migrations would no longer run.
 */
final class FlywayMigration implements OutboxSchemaInitializer.Migration {

    private static final Logger log = LoggerFactory.getLogger(FlywayMigration.class);

    private static final String LOCATION = "classpath:dev/outbox/schema/migrations";

    /** One try a second: another instance may be building an index. */
    private static final int LOCK_TRIES = 600;

    private final OutboxDatabase database;
    private final ObjectProvider<Flyway> ofApplication;

    /**
     * Migrates the tables of the outbox.
     *
     * @param ofApplication what the application migrates with; its users may change tables where that of the outbox's
     *     DataSource often may not
     */
    FlywayMigration(OutboxDatabase database, ObjectProvider<Flyway> ofApplication) {
        this.database = database;
        this.ofApplication = ofApplication;
    }

    @Override
    public void run() {
        try {
            TablesOrigin origin = TablesOrigin.of(database);
            if (origin.madeByOthers()) {
                log.info(
                        "The outbox tables in schema {} were not made by Flyway: whoever made them keeps them up to date.",
                        origin.schema());
                return;
            }
            if (origin.schema() == null) {
                throw new OutboxSchemaException(
                        "The search path of the outbox's database user names no schema that exists.",
                        "Create one of its schemas, or set outbox.schema to the schema of the tables.",
                        null);
            }
            migrate(origin.schema());
        } catch (FlywayException | DataAccessException e) {
            throw FlywayModuleFailureAnalyzer.isMissing(e)
                    ? FlywayModuleFailureAnalyzer.missing(e)
                    : SchemaFailures.notMigrated(e);
        }
    }

    private void migrate(String schema) {
        FluentConfiguration configuration = Flyway.configure(getClass().getClassLoader())
                .locations(LOCATION)
                .failOnMissingLocations(true)
                .placeholderReplacement(false)
                .defaultSchema(schema)
                .table(TablesOrigin.HISTORY)
                .lockRetryCount(LOCK_TRIES)
                // On a schema that has tables of others: start with our first migration all the same.
                .baselineOnMigrate(true)
                .baselineVersion("0");
        connect(configuration);
        configuration.load().migrate();
    }

    /** By the application's Flyway, if that one leads to the same database. */
    private void connect(FluentConfiguration configuration) {
        DatabaseIdentity outbox = DatabaseIdentity.of(database.dataSource());
        for (Flyway flyway : ofApplication.orderedStream().toList()) {
            DataSource candidate = flyway.getConfiguration().getDataSource();
            if (candidate != null && outbox.isThatOf(candidate)) {
                // The initial SQL is where a user takes on the role that owns the tables.
                configuration
                        .dataSource(candidate)
                        .initSql(flyway.getConfiguration().getInitSql());
                return;
            }
        }
        configuration.dataSource(database.dataSource());
    }
}
