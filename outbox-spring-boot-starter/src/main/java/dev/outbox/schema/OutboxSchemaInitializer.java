package dev.outbox.schema;

import org.springframework.beans.factory.InitializingBean;

/**
 * Brings the tables up to date, where it may, and then checks them. Everything that uses the tables
 * depends on this bean, and it comes after the application's own migrations.
 */
final class OutboxSchemaInitializer implements InitializingBean {

    private final PostgresRequirement requirement;
    private final Migration migration;
    private final SchemaCheck check;

    OutboxSchemaInitializer(PostgresRequirement requirement, Migration migration, SchemaCheck check) {
        this.requirement = requirement;
        this.migration = migration;
        this.check = check;
    }

    @Override
    public void afterPropertiesSet() {
        requirement.check();
        migration.run();
        check.run();
    }

    /** Brings the tables up to date, or leaves them to others. */
    @FunctionalInterface
    interface Migration {

        Migration NONE = () -> {};

        void run();
    }
}
