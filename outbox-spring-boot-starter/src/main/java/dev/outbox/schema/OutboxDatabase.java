package dev.outbox.schema;

import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where the outbox tables are. Writer, relay, consumer and metrics all take it from here, so that they
 * follow one choice of DataSource and schema.
 *
 * @param dataSource the DataSource whose transactions carry the messages
 * @param schema the validated name of the tables' schema, or null for the first of the search path
 */
public record OutboxDatabase(
        DataSource dataSource, @Nullable String schema) {

    /** What stands before each table's name in the SQL of the outbox. */
    private static final String PLACEHOLDER = "{schema}";

    public OutboxDatabase {
        Objects.requireNonNull(dataSource, "dataSource");
    }

    /** Fills in the schema: {@code {schema}outbox_message} becomes the name of the table. */
    public String sql(String template) {
        return template.replace(PLACEHOLDER, schema == null ? "" : '"' + schema + "\".");
    }

    /**
     * The DataSource for connections that are nobody else's. One of a transaction-aware proxy is that of the calling
     * thread's transaction, to be committed there only.
     */
    public DataSource ownConnections() {
        return ManagedDataSource.unwrapped(dataSource);
    }
}
