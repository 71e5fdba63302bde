package com.example.orders.order;

import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

/**
 * The topic of the order events, created at start-up when it is missing and the broker is there. Until
 * there is a topic, the events wait in the outbox. Its number of partitions is there to stay: another
 * number would send an order's later events to another partition than its earlier ones, and their order
 * would be lost.
 */
@Configuration(proxyBeanMethods = false)
class OrderEventsTopic {

    static final String NAME = "order.events";

    @Bean
    NewTopic orderEvents() {
        return TopicBuilder.name(NAME).partitions(8).build();
    }
}
