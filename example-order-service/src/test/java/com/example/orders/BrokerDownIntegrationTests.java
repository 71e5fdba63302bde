package com.example.orders;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.client.RestTestClient;

/** Without its broker the service starts and takes orders all the same. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.kafka.admin.operation-timeout=1s")
@AutoConfigureRestTestClient
@Import({DevServers.class, BrokerDownIntegrationTests.NoBroker.class})
@DirtiesContext
class BrokerDownIntegrationTests {

    @Test
    void ordersAreTaken(@Autowired RestTestClient http) {
        http.post()
                .uri("/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .body("{\"customerId\":\"alice\",\"amount\":42.50}")
                .exchange()
                .expectStatus()
                .isCreated();
        http.get().uri("/actuator/health/liveness").exchange().expectStatus().isOk();
        http.get().uri("/actuator/health/readiness").exchange().expectStatus().isOk();
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class NoBroker {

        @Bean
        @Primary
        KafkaConnectionDetails noBroker() {
            return () -> List.of("localhost:1");
        }
    }
}
