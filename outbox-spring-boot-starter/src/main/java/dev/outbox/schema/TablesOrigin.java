package dev.outbox.schema;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Where the tables are, or are to be, and who made them.
 *
 * @param schema that of the tables, else the one in which the outbox's user would make them; null if it has none
 * @param madeByOthers whether they are there without a history: made by hand or by Liquibase
 */
record TablesOrigin(@Nullable String schema, boolean madeByOthers) {

    /** The history that our Flyway keeps beside the tables; it is there before they are. */
    static final String HISTORY = "outbox_schema_history";

    /** Asked of the outbox's own DataSource: the user who migrates may have another search path. */
    private static final String ORIGIN = """
            SELECT coalesce(home.nspname, ?, current_schema()) AS schema,
                   home.nspname IS NOT NULL AND NOT EXISTS (
                       SELECT FROM pg_class history WHERE history.relnamespace = home.oid AND history.relname = ?)
                       AS made_by_others
            FROM (SELECT to_regclass(?) AS message) AS found
            LEFT JOIN pg_class ON pg_class.oid = found.message
            LEFT JOIN pg_namespace AS home ON home.oid = pg_class.relnamespace
            """;

    static TablesOrigin of(OutboxDatabase database) {
        return new JdbcTemplate(database.dataSource())
                .query(
                        ORIGIN,
                        (row, number) -> new TablesOrigin(row.getString(1), row.getBoolean(2)),
                        database.schema(),
                        HISTORY,
                        database.sql("{schema}outbox_message"))
                .get(0);
    }
}
