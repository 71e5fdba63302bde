package dev.outbox.test;

import dev.outbox.OutboxListener;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The service of a {@link RelayProcess}. What it prints is read there. */
final class RelayProcessMain {

    static final String READY = "ready to publish";
    static final String PUBLISHED = "messages published: ";

    private RelayProcessMain() {}

    public static void main(String[] args) {
        new SpringApplicationBuilder(TestService.Application.class, Reporting.class)
                .web(WebApplicationType.NONE)
                .run(args);
        System.out.println(READY);
    }

    @Configuration(proxyBeanMethods = false)
    static class Reporting {

        @Bean
        OutboxListener reports() {
            return new OutboxListener() {
                @Override
                public void batchCompleted(Batch batch) {
                    System.out.println(PUBLISHED + batch.published());
                }
            };
        }
    }
}
