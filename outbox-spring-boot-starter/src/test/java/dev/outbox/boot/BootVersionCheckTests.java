package dev.outbox.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What Spring Boot 3 itself makes of it stands in the compatibility tests. */
class BootVersionCheckTests {

    @ParameterizedTest
    @ValueSource(strings = {"2.7.18", "3.5.16", "3.0.0-SNAPSHOT"})
    void anEarlierSpringBootIsRefused(String version) {
        assertThatExceptionOfType(UnsupportedBootVersionException.class)
                .isThrownBy(() -> BootVersionCheck.check(version))
                .withMessageContaining("needs Spring Boot 4")
                .withMessageContaining("Spring Boot " + version);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"4.0.7", "4.1.2", "4.2.0-M1", "5.0.0-SNAPSHOT", "10.1.0", "", "unknown", "20260101.1"})
    void thisOneAndLaterOnesAndWhatIsNoVersionPass(String version) {
        assertThatCode(() -> BootVersionCheck.check(version)).doesNotThrowAnyException();
    }

    @Test
    @SuppressWarnings("rawtypes")
    void springBootRunsItBeforeTheInitializersOfOthers() {
        List<ApplicationContextInitializer> initializers =
                SpringFactoriesLoader.forDefaultResourceLocation().load(ApplicationContextInitializer.class);

        assertThat(initializers).hasSizeGreaterThan(1).first().isInstanceOf(BootVersionCheck.class);
    }
}
