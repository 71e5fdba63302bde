package dev.outbox.application;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A certificate for a broker on this machine, made by the tool of the JDK, and a store that trusts it. */
record Certificates(Path keyStore, Path trustStore) {

    static final String PASSWORD = "test-password";

    static Certificates in(Path directory) {
        Path certificate = directory.resolve("broker.pem");
        Certificates certificates = new Certificates(directory.resolve("broker.p12"), directory.resolve("trusted.p12"));
        keytool(
                certificates.keyStore,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=ip:127.0.0.1");
        keytool(certificates.keyStore, "-exportcert", "-rfc", "-file", certificate.toString());
        keytool(certificates.trustStore, "-importcert", "-noprompt", "-file", certificate.toString());
        return certificates;
    }

    private static void keytool(Path store, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "broker", "-keystore", store.toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
