package dev.outbox.schema;

import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Which database it is, whatever way leads there: another user, another address, past a pooler.
 *
 * @param name of the database in its server
 * @param serverStart when the server process started, which no two servers share to the microsecond
 */
record DatabaseIdentity(String name, String serverStart) {

    private static final Logger log = LoggerFactory.getLogger(DatabaseIdentity.class);

    private static final String IDENTITY =
            "SELECT current_database(), extract(epoch FROM pg_postmaster_start_time())::text";

    static DatabaseIdentity of(DataSource dataSource) {
        return new JdbcTemplate(dataSource)
                .query(IDENTITY, (row, number) -> new DatabaseIdentity(row.getString(1), row.getString(2)))
                .get(0);
    }

    /** Whether the DataSource leads to this database; not if it is another product's, or away. */
    boolean isThatOf(DataSource dataSource) {
        try {
            return equals(of(dataSource));
        } catch (DataAccessException e) {
            log.debug("A DataSource of the application's Flyway does not lead to the outbox's database", e);
            return false;
        }
    }
}
