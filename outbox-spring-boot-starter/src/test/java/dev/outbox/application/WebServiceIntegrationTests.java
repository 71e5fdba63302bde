package dev.outbox.application;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxWriter;
import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.Kafka;
import dev.outbox.testservers.TestServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** A web service whose management has a port of its own, and with it a context of its own below the application's. */
class WebServiceIntegrationTests {

    @Test
    void aManagementContextBringsNoSecondRelay() throws Exception {
        Kafka kafka = TestServers.kafka();
        String topic = Topics.create(kafka, "web");
        OutboxThreads threads = OutboxThreads.sinceNow();
        AtomicReference<WebServerInitializedEvent> management = new AtomicReference<>();
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .registerShutdownHook(false)
                .properties(TestService.onSharedServers()
                        .with("server.port", 0)
                        .with("management.server.port", 0)
                        .properties())
                .listeners(event -> {
                    if (event instanceof WebServerInitializedEvent started
                            && "management"
                                    .equals(started.getApplicationContext().getServerNamespace())) {
                        management.set(started);
                    }
                })
                .run()) {
            UUID id = context.getBean(TransactionTemplate.class)
                    .execute(status ->
                            context.getBean(OutboxWriter.class).write(to(topic).payload("x")));
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> assertThat(Topics.eventIds(kafka, topic)).containsExactly(id));

            WebServerApplicationContext child = management.get().getApplicationContext();
            assertThat(child).isNotSameAs(context);
            assertThat(Arrays.stream(child.getBeanDefinitionNames()).filter(name -> name.startsWith("outbox")))
                    .isEmpty();
            assertThat(threads.relays()).isEqualTo(1);
            assertThat(health(management.get().getWebServer().getPort())).contains("UP");
        }
        threads.awaitEnd();
    }

    private static String health(int port) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/health"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
