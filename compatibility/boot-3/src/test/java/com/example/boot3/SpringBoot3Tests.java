package com.example.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ClassUtils;

/**
 * Runs twice: with what Maven makes of the starter's dependencies when Spring Boot 3 manages the versions, which is a
 * mixture of both, and without the modules that only Spring Boot 4 has.
 */
@ExtendWith(OutputCaptureExtension.class)
class SpringBoot3Tests {

    @Test
    void anApplicationThatAddsTheStarterIsToldWhichSpringBootItNeeds(CapturedOutput output) {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> SpringApplication.run(Application.class))
                .withMessageContaining("needs Spring Boot 4")
                .withNoCause();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("this application runs on Spring Boot " + SpringBootVersion.getVersion())
                .contains("Upgrade the application to Spring Boot 4")
                .contains("dev.outbox:outbox-spring-boot-starter")
                .doesNotContain("\tat ");
    }

    @Test
    void theClassPathIsTheOneMeant() {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.");
        assertThat(ClassUtils.isPresent("dev.outbox.OutboxWriter", null)).isTrue();
        assertThat(ClassUtils.isPresent("org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration", null))
                .isEqualTo(Boolean.getBoolean("with-modules-of-boot-4"));
    }

    @SpringBootApplication
    static class Application {}
}
