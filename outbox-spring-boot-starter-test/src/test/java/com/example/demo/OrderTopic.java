package com.example.demo;

import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

@Configuration(proxyBeanMethods = false)
class OrderTopic {

    @Bean
    NewTopic orderEvents() {
        return TopicBuilder.name("order.events").partitions(8).build();
    }
}
