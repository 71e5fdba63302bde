package dev.outbox.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Each table, view, column and index of the published SQL is missed by its name. */
class SchemaPartsIntegrationTests {

    /** The parts as the database has them, and how to take each away. */
    private static final String PARTS = """
            SELECT 'column ' || relname || '.' || attname AS part,
                   format('ALTER TABLE %I DROP COLUMN %I CASCADE', relname, attname) AS removal
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
            UNION ALL
            SELECT 'index ' || index.relname,
                   coalesce((SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
                             FROM pg_constraint WHERE conindid = index.oid),
                            format('DROP INDEX %I', index.relname))
            FROM pg_class index
            WHERE relnamespace = 'public'::regnamespace AND relkind = 'i'
            UNION ALL
            SELECT 'table ' || relname, format('DROP TABLE %I CASCADE', relname)
            FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            UNION ALL
            SELECT 'view ' || relname, format('DROP VIEW %I', relname)
            FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
            """;

    private SingleConnectionDataSource dataSource;
    private JdbcTemplate jdbc;

    @BeforeEach
    void runPublishedSql() throws IOException {
        Postgres postgres = TestServers.postgres();
        dataSource =
                new SingleConnectionDataSource(postgres.createDatabase(), postgres.user(), postgres.password(), true);
        jdbc = new JdbcTemplate(dataSource);
        jdbc.execute(new ClassPathResource("dev/outbox/schema/migrations/V1__outbox.sql")
                .getContentAsString(StandardCharsets.UTF_8));
    }

    @AfterEach
    void disconnect() {
        dataSource.destroy();
    }

    @TestFactory
    List<DynamicTest> eachPartThatIsMissingIsNamed() {
        List<DynamicTest> tests = jdbc.query(PARTS, (row, number) -> {
            String part = row.getString("part");
            String removal = row.getString("removal");
            return DynamicTest.dynamicTest(part, () -> assertMissed(part, removal));
        });
        assertThat(tests).hasSizeGreaterThan(50);
        return tests;
    }

    private void assertMissed(String part, String removal) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        try {
            jdbc.execute(removal);
            assertThatExceptionOfType(OutboxSchemaException.class)
                    .isThrownBy(this::check)
                    .satisfies(e -> assertThat(e.getDescription())
                            .startsWith("The outbox misses ")
                            .containsPattern("\\b" + part + "\\b"))
                    .satisfies(e -> assertThat(e.getAction())
                            .contains("dev/outbox/schema/migrations", "dev/outbox/schema/liquibase"));
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Test
    void aColumnOfTheViewIsMissedToo() {
        jdbc.execute("DROP VIEW outbox_dead_letters; CREATE VIEW outbox_dead_letters AS SELECT id FROM outbox_message");
        assertThatExceptionOfType(OutboxSchemaException.class)
                .isThrownBy(this::check)
                .withMessageContaining("column outbox_dead_letters.last_error");
    }

    @Test
    void anIndexWhoseCreationFailedIsMissing() {
        jdbc.execute("DROP INDEX outbox_message_dead; INSERT INTO outbox_message (topic) VALUES ('t'), ('t')");
        assertThatExceptionOfType(org.springframework.dao.DuplicateKeyException.class)
                .isThrownBy(() ->
                        jdbc.execute("CREATE UNIQUE INDEX CONCURRENTLY outbox_message_dead ON outbox_message (topic)"));
        assertThatExceptionOfType(OutboxSchemaException.class)
                .isThrownBy(this::check)
                .withMessageContaining("The outbox misses index outbox_message_dead,");
    }

    @Test
    void whatOthersAddedDoesNotMatter() {
        jdbc.execute("ALTER TABLE outbox_message ADD COLUMN ours text; CREATE INDEX ours ON outbox_message (ours)");
        check();
    }

    private void check() {
        new SchemaCheck(new OutboxDatabase(dataSource, null), true).run();
    }
}
