package dev.outbox.testservers;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The server settings of the PostgreSQL servers that tests start. */
final class PostgresSettings {

    /** For every server: room for many pools, and a time zone that no test can take for its own. */
    static final Map<String, String> COMMON = Map.of("max_connections", "300", "timezone", "Asia/Kathmandu");

    /** In addition, for a server that is thrown away and never crashes: nothing is written through to the disk. */
    static final Map<String, String> FAST = Map.of(
            "fsync", "off",
            "synchronous_commit", "off",
            "full_page_writes", "off");

    private PostgresSettings() {}

    /** The settings as options of the command line. */
    static List<String> options(Map<String, String> settings) {
        return settings.entrySet().stream()
                .flatMap(setting -> Stream.of("-c", setting.getKey() + "=" + setting.getValue()))
                .toList();
    }
}
