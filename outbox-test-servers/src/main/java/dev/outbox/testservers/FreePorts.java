package dev.outbox.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that are stopped and started again on the same port. They lie below the range from which systems
 * serve port 0 and outgoing connections, so that no client can sit on a server's port while the server is down.
 */
final class FreePorts {

    private static final int FIRST = 15_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 1_000;

    private static final Set<Integer> taken = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /** A port that was free a moment ago; no port is returned twice in one JVM. */
    static int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port) && taken.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port between " + FIRST + " and " + END);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
