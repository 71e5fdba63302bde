package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A guarantee is only as good as the test that shows it, so the page names tests that are there. */
class GuaranteesDocumentationTests {

    private static final Path PAGE = Path.of("..", "docs", "guarantees.md");

    /** A class and one of its methods, and where its source is. */
    private static final Pattern TEST = Pattern.compile("\\[`(\\w+)#(\\w+)`\\]\\(([^)]+)\\)");

    private static final Pattern MENTION = Pattern.compile("Tests#\\w+");

    private final String page = read(PAGE);
    private final List<MatchResult> tests = TEST.matcher(page).results().toList();

    @Test
    void eachTestExists() {
        assertThat(tests).hasSizeGreaterThan(30).allSatisfy(test -> {
            Path source = PAGE.resolveSibling(test.group(3)).normalize();
            assertThat(source).as(test.group()).isRegularFile();
            assertThat(source.getFileName()).hasToString(test.group(1) + ".java");
            assertThat(read(source))
                    .as(test.group(1))
                    .containsPattern("@(Test|RepeatedTest|ParameterizedTest)\\b[^{}]*void " + test.group(2) + "\\(");
        });
    }

    @Test
    void noTestIsMentionedWithoutItsSource() {
        assertThat(MENTION.matcher(page).results()).hasSameSizeAs(tests);
    }

    @Test
    void eachPromiseHasItsTests() {
        List<String> promises = List.of(page.split("\n## "));
        assertThat(promises).hasSize(9);
        assertThat(promises.subList(1, 9))
                .allSatisfy(promise -> assertThat(TEST.matcher(promise).find()).isTrue());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
