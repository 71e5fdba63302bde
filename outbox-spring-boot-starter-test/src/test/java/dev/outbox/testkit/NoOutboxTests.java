package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class NoOutboxTests {

    @Test
    void aContextWithoutAnOutboxSaysWhatIsMissing() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OutboxTesterAutoConfiguration.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("@AutoConfigureOutboxTester")
                        .hasMessageContaining("DataSource")
                        .hasMessageContaining("outbox.enabled"));
    }
}
