package dev.outbox.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresArchiveTests {

    private static final byte[] PROGRAMS = {1, 2, 3};

    @TempDir
    private Path directory;

    @Test
    void theEnvironmentMayNameAnotherVersion() throws Exception {
        Path jar = jarWith("META-INF/MANIFEST.MF", "postgres-linux-x86_64.txz");

        assertThat(chosenFor(jar.toString()).read()).isEqualTo(PROGRAMS);
    }

    @Test
    void otherwiseTheVersionOfTheClassPathIsTaken() throws Exception {
        assertThat(chosenFor(" ").read())
                .isEqualTo(PostgresArchive.chosen(Map.of()).read())
                .hasSizeGreaterThan(1_000_000);
    }

    @Test
    void aFileThatIsMissingOrHasNoProgramsIsNamed() throws Exception {
        Path missing = directory.resolve("missing.jar");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> chosenFor(missing.toString()))
                .withMessageContaining(missing.toString());

        Path empty = jarWith("META-INF/MANIFEST.MF");
        assertThatIOException()
                .isThrownBy(() -> chosenFor(empty.toString()).read())
                .withMessageContaining(empty.toString());
    }

    private static PostgresArchive chosenFor(String jar) {
        return PostgresArchive.chosen(Map.of("OUTBOX_TEST_POSTGRES_BINARIES", jar));
    }

    private Path jarWith(String... entries) throws IOException {
        Path jar = directory.resolve("binaries.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String entry : entries) {
                out.putNextEntry(new ZipEntry(entry));
                out.write(PROGRAMS);
            }
        }
        return jar;
    }
}
