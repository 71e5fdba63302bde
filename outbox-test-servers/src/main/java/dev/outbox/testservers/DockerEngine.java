package dev.outbox.testservers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a Docker engine answers, found out by one connection attempt, without Testcontainers' longer search. */
final class DockerEngine {

    private static final int CONNECT_TIMEOUT_MILLIS = 1000;

    private DockerEngine() {}

    static boolean answers() {
        String host = System.getenv("DOCKER_HOST");
        if (host != null && !host.isBlank()) {
            return answers(URI.create(host));
        }
        return Stream.of(
                        Path.of("/var/run/docker.sock"),
                        Path.of(System.getProperty("user.home"), ".docker", "run", "docker.sock"),
                        runtimeDirectory(System.getenv("XDG_RUNTIME_DIR")).resolve("docker.sock"))
                .anyMatch(DockerEngine::answers);
    }

    private static boolean answers(URI host) {
        if ("unix".equals(host.getScheme())) {
            return answers(Path.of(host.getPath()));
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host.getHost(), host.getPort()), CONNECT_TIMEOUT_MILLIS);
            return true;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Connecting to a local socket succeeds or fails at once, so it needs no timeout. */
    private static boolean answers(Path socket) {
        if (!Files.exists(socket)) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static Path runtimeDirectory(@Nullable String directory) {
        return Path.of(directory == null ? "/run" : directory);
    }
}
