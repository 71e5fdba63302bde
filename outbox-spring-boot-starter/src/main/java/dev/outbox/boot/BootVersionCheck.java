package dev.outbox.boot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Looks at Spring Boot's version before any bean or auto-configuration is looked at: on Spring Boot 3 some of them are
 * left out without a word, and others end in a class that is not found. A version that it does not understand passes.
 */
class BootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {

    private static final int FIRST_SUPPORTED = 4;
    private static final Pattern MAJOR = Pattern.compile("(\\d{1,4})\\..*");

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        check(SpringBootVersion.getVersion());
    }

    static void check(@Nullable String version) {
        if (version != null && isTooOld(version)) {
            throw new UnsupportedBootVersionException(version);
        }
    }

    private static boolean isTooOld(String version) {
        Matcher matcher = MAJOR.matcher(version);
        return matcher.matches() && Integer.parseInt(matcher.group(1)) < FIRST_SUPPORTED;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
