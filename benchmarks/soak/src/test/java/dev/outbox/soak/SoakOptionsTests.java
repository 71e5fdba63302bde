package dev.outbox.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SoakOptionsTests {

    @Test
    void whatIsNotGivenHasADefault() {
        SoakOptions options = SoakOptions.parse("--minutes=0.5", "--seed=42");

        assertThat(options).isEqualTo(new SoakOptions(Duration.ofSeconds(30), 42, 3, 4, 300));
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        for (String argument : new String[] {"--minute=3", "minutes=3", "--minutes", "--minutes=", "--minutes=three"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SoakOptions.parse(argument))
                    .withMessageContaining("minute");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SoakOptions.parse("--relays=0"))
                .withMessage("--relays has to be 1 to 20");
    }
}
