package dev.outbox.testservers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** A PostgreSQL that runs already, known by the JDBC URL of a database to connect to. */
record PostgresAddress(String url, String user, String password) implements Postgres {

    PostgresAddress {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("Not a JDBC URL of PostgreSQL: " + url);
        }
    }

    @Override
    public String createDatabase() {
        String name = "test_" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            // template0: creating fails while anyone is connected to the template, and nobody can be to this one
            statement.execute("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8'");
        } catch (SQLException e) {
            throw new IllegalStateException("No database could be created at " + url, e);
        }
        String withoutParameters = url.replaceFirst("\\?.*$", "");
        return withoutParameters.substring(0, withoutParameters.lastIndexOf('/') + 1) + name;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    @Override
    public String toString() {
        return "PostgreSQL at " + url;
    }
}
