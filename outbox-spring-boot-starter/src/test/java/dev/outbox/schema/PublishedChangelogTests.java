package dev.outbox.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** Who migrates by Liquibase gets what Flyway would run. */
class PublishedChangelogTests {

    private static final String MIGRATIONS = "dev/outbox/schema/migrations/";
    private static final Pattern CHANGE_SET =
            Pattern.compile("<changeSet id=\"(\\d+)\" author=\"dev.outbox\">\\s*<sqlFile path=\"" + MIGRATIONS
                    + "(V\\1__\\w+\\.sql)\" splitStatements=\"false\"/>\\s*</changeSet>");

    @Test
    void eachMigrationIsOneChangeSet() throws IOException {
        String changelog = new ClassPathResource("dev/outbox/schema/liquibase/outbox.changelog.xml")
                .getContentAsString(StandardCharsets.UTF_8);
        List<MatchResult> changeSets = CHANGE_SET.matcher(changelog).results().toList();

        assertThat(changelog.split("<changeSet ", -1)).hasSize(changeSets.size() + 1);
        assertThat(changeSets)
                .extracting(changeSet -> Integer.valueOf(changeSet.group(1)))
                .isSorted();
        assertThat(changeSets)
                .extracting(changeSet -> changeSet.group(2))
                .containsExactlyInAnyOrderElementsOf(migrations());
    }

    private static List<String> migrations() throws IOException {
        return Arrays.stream(new PathMatchingResourcePatternResolver().getResources("classpath:" + MIGRATIONS + "*"))
                .map(migration -> String.valueOf(migration.getFilename()))
                .toList();
    }
}
