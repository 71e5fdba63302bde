package dev.outbox.testservers;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** The programs of one version of PostgreSQL, unpacked once per machine and user into the temporary directory. */
final class PostgresBinaries {

    private final Path directory;

    private PostgresBinaries(Path directory) {
        this.directory = directory;
    }

    /** Unpacks the programs, unless that was done before, on this machine. */
    static PostgresBinaries of(PostgresArchive source) {
        try {
            byte[] archive = source.read();
            CRC32 checksum = new CRC32();
            checksum.update(archive);
            Path directory = Path.of(System.getProperty("java.io.tmpdir"))
                    .resolve("outbox-test-postgres-%s-%08x"
                            .formatted(System.getProperty("user.name"), checksum.getValue()));
            if (!Files.isDirectory(directory)) {
                unpackTo(directory, archive);
            }
            return new PostgresBinaries(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("The programs of PostgreSQL could not be unpacked", e);
        }
    }

    /**
     * The beginning of a command line that runs one of the programs. They refuse to run as root, so root becomes
     * another user for them, in a user namespace, which keeps root's access to the files.
     */
    List<String> command(String program) {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(directory.resolve("bin").resolve(program).toString());
        return command;
    }

    /** Another JVM may do the same at the same time: each unpacks for itself, and the first rename wins. */
    private static void unpackTo(Path directory, byte[] archive) throws IOException {
        Path unpacked = Files.createTempDirectory(directory.getParent(), directory.getFileName() + "-");
        Files.setPosixFilePermissions(unpacked, PosixFilePermissions.fromString("rwxr-xr-x"));
        unpack(archive, unpacked);
        try {
            Files.move(unpacked, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    private static void unpack(byte[] archive, Path target) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZCompressorInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = target.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                    continue;
                }
                Files.createDirectories(path.getParent());
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                } else {
                    Files.copy(tar, path);
                    boolean executable = (entry.getMode() & 0100) != 0;
                    Files.setPosixFilePermissions(
                            path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
                }
            }
        }
    }
}
