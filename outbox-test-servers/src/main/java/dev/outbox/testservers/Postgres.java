package dev.outbox.testservers;

/** A PostgreSQL server on which a test makes databases of its own. */
public interface Postgres {

    /** The name of a superuser, or at least of a user who may create databases. */
    String user();

    /** The password of {@link #user()}; never empty, even where the server asks for none. */
    String password();

    /** Creates an empty database with a unique name and returns its JDBC URL, which has no parameters. */
    String createDatabase();
}
