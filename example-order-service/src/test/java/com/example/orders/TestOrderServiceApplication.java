package com.example.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

/** Starts the service for trying it out, with a database and a broker that live as long as it does. */
public class TestOrderServiceApplication {

    public static void main(String[] args) {
        SpringApplication.from(OrderServiceApplication::main)
                .with(DevServers.class, WhatToTry.class)
                .run(args);
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class WhatToTry {

        @EventListener
        void print(ApplicationReadyEvent event) {
            Environment environment = event.getApplicationContext().getEnvironment();
            String url = "http://localhost:" + environment.getProperty("local.server.port");
            System.out.println("""

                    The order service is running, with a PostgreSQL and a Kafka broker of its own. Place an order:

                      curl -i %1$s/orders -H 'Content-Type: application/json' -d '{"customerId": "alice", "amount": 42.50}'

                    See it in the summary, which is made from the events that come through Kafka:

                      curl %1$s/customers/alice/summary

                    Cancel it, with the id from the first answer, and see the summary again:

                      curl -X POST %1$s/orders/{id}/cancel

                    What the outbox did:

                      curl -s %1$s/actuator/prometheus | grep ^outbox_events

                    Ctrl+C ends it all.
                    """.formatted(url));
        }
    }
}
