package com.example.compatibility;

import java.nio.file.Path;

/** The archives of PostgreSQL's programs that the build has put aside, one for each version. */
final class PostgresVersions {

    private PostgresVersions() {}

    static Path binaries(int version) {
        String directory = System.getProperty("postgres-binaries");
        if (directory == null) {
            throw new IllegalStateException("Run these tests by Maven, in the profile compatibility");
        }
        return Path.of(directory, "postgres-" + version + ".jar");
    }
}
