package com.example.parcels;

import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import org.springframework.test.context.DynamicPropertyRegistry;

/** A database of its own for a test, on the server that all share. */
final class Servers {

    private Servers() {}

    static void database(DynamicPropertyRegistry registry) {
        Postgres postgres = TestServers.postgres();
        String url = postgres.createDatabase();
        registry.add("spring.datasource.url", () -> url);
        registry.add("spring.datasource.username", postgres::user);
        registry.add("spring.datasource.password", postgres::password);
    }
}
