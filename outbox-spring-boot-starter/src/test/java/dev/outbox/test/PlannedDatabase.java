package dev.outbox.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A database with the outbox tables in which a test decides what the planner knows: nothing is analyzed but when the
 * test says so.
 */
public final class PlannedDatabase implements AutoCloseable {

    private final String url;
    private final Connection connection;
    private final AtomicReference<String> lastPrepared = new AtomicReference<>();

    public PlannedDatabase() throws SQLException {
        Postgres postgres = TestServers.postgres();
        url = postgres.createDatabase();
        connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
        try {
            execute(new ClassPathResource("dev/outbox/schema/migrations/V1__outbox.sql")
                    .getContentAsString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        execute("ALTER TABLE outbox_message SET (autovacuum_enabled = false)");
    }

    public void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Adds messages that are published. */
    public void published(int messages) throws SQLException {
        execute("INSERT INTO outbox_message (topic, key, payload, published_at) SELECT 'orders', n % 1000,"
                + " '{\"number\":1}', now() FROM generate_series(1, " + messages + ") n");
    }

    /** Adds messages that are pending, of this many keys. */
    public void pending(int messages, int keys) throws SQLException {
        execute("INSERT INTO outbox_message (topic, key, payload) SELECT 'orders', n % " + keys
                + ", '{\"number\":1}' FROM generate_series(1, " + messages + ") n");
    }

    public void drain() throws SQLException {
        execute("UPDATE outbox_message SET published_at = now() WHERE published_at IS NULL");
    }

    public void analyze() throws SQLException {
        execute("ANALYZE outbox_message, outbox_lane");
    }

    /** The connection, which remembers the SQL that is prepared on it. */
    public Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    if (method.getName().equals("prepareStatement")) {
                        lastPrepared.set((String) arguments[0]);
                    }
                    try {
                        Object result = method.invoke(connection, arguments);
                        return method.getName().equals("createStatement") ? remembering((Statement) result) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private Statement remembering(Statement statement) {
        return (Statement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("execute") && arguments != null) {
                        lastPrepared.set((String) arguments[0]);
                    }
                    try {
                        return method.invoke(statement, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    /** A connection of its own, for the caller to close. */
    public Connection open() throws SQLException {
        Postgres postgres = TestServers.postgres();
        return DriverManager.getConnection(url, postgres.user(), postgres.password());
    }

    /** A DataSource of that one connection. */
    public AbstractDataSource dataSource() {
        return new AbstractDataSource() {
            @Override
            public Connection getConnection() {
                return PlannedDatabase.this.connection();
            }

            @Override
            public Connection getConnection(String user, String password) {
                return getConnection();
            }
        };
    }

    /** The SQL that the call sends to the database. */
    public String sqlOf(Call call) throws Exception {
        lastPrepared.set(null);
        connection.setAutoCommit(false);
        try {
            call.run(connection());
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        return lastPrepared.get();
    }

    /**
     * The plan of a statement.
     *
     * @param begin what begins the transaction of the statement
     * @param mode {@code force_custom_plan}, made for these parameters, or {@code force_generic_plan}, for any
     * @param sql the statement, with a question mark for each parameter
     * @param types the parameters' types in SQL
     * @param values the parameters as SQL literals
     */
    public Plan plan(Call begin, String mode, String sql, List<String> types, List<String> values) throws Exception {
        StringBuilder numbered = new StringBuilder(sql);
        int parameters = 0;
        for (int at = numbered.indexOf("?"); at >= 0; at = numbered.indexOf("?", at)) {
            parameters++;
            numbered.replace(at, at + 1, "$" + parameters);
        }
        assertThat(types).hasSize(parameters).hasSameSizeAs(values);
        connection.setAutoCommit(false);
        begin.run(connection);
        execute("SET LOCAL plan_cache_mode = " + mode);
        execute("PREPARE planned" + (types.isEmpty() ? "" : "(" + String.join(", ", types) + ")") + " AS " + numbered);
        try (PreparedStatement explain = connection.prepareStatement("EXPLAIN (FORMAT JSON) EXECUTE planned"
                        + (values.isEmpty() ? "" : "(" + String.join(", ", values) + ")"));
                ResultSet plan = explain.executeQuery()) {
            plan.next();
            return new Plan(JsonMapper.shared().readTree(plan.getString(1)));
        } finally {
            execute("DEALLOCATE planned");
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** Work on a connection. */
    @FunctionalInterface
    public interface Call {

        void run(Connection connection) throws Exception;
    }

    /** What EXPLAIN says. */
    public record Plan(JsonNode json) {

        /**
         * Each access to the messages reads the first rows of the pending index, in its order, without a sort; but for
         * the look at what is blocked, which has a small index of its own.
         */
        public void readsTheHeadOfThePendingIndex() {
            List<Access> accesses = accesses();
            assertThat(accesses).as(toString()).isNotEmpty().allSatisfy(access -> {
                assertThat(access.node().get("Node Type").asString()).isIn("Index Scan", "Index Only Scan");
                if (access.node().get("Alias").asString().startsWith("b")) {
                    assertThat(access.node().get("Index Name").asString()).isEqualTo("outbox_message_blocking");
                } else {
                    assertThat(access.node().get("Index Name").asString()).isEqualTo("outbox_message_pending");
                    assertThat(access.node().get("Index Cond").asString()).contains("lane");
                }
                assertThat(access.parent().get("Node Type").asString()).isEqualTo("Limit");
            });
        }

        /** Each access to the messages goes by their ids. */
        public void goesByThePrimaryKey() {
            assertThat(indexNames(json, new ArrayList<>()))
                    .as(toString())
                    .isNotEmpty()
                    .containsOnly("outbox_message_pkey");
            assertThat(accesses())
                    .as(toString())
                    .allSatisfy(
                            access -> assertThat(access.node().get("Node Type").asString())
                                    .isIn("Index Scan", "Bitmap Heap Scan", "ModifyTable"));
        }

        private List<Access> accesses() {
            return accesses(json, json, new ArrayList<>());
        }

        private static List<Access> accesses(JsonNode node, JsonNode parent, List<Access> found) {
            JsonNode relation = node.get("Relation Name");
            if (relation != null && relation.asString().equals("outbox_message")) {
                found.add(new Access(node, parent));
            }
            for (JsonNode child : node) {
                accesses(child, node.has("Node Type") ? node : parent, found);
            }
            return found;
        }

        private static List<String> indexNames(JsonNode node, List<String> found) {
            JsonNode name = node.get("Index Name");
            if (name != null) {
                found.add(name.asString());
            }
            for (JsonNode child : node) {
                indexNames(child, found);
            }
            return found;
        }

        @Override
        public String toString() {
            return json.toPrettyString();
        }

        private record Access(JsonNode node, JsonNode parent) {}
    }
}
