package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The code in the documentation is code that compiles, and that the tests of this build run: each file of {@code
 * getting-started.md} is one of this module's tests, and each block of {@code testing.md} is a part of some test.
 */
class DocumentedCodeTests {

    private static final Path DOCS = Path.of("../docs");

    private static final Pattern FILE =
            Pattern.compile("^`(src/[^`]+)`:\n\n```\\w+\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern JAVA = Pattern.compile("^```java\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @Test
    void theFilesOfGettingStartedAreThoseThatTheBuildRuns() throws IOException {
        Map<String, String> documented = new LinkedHashMap<>();
        Matcher file = FILE.matcher(Files.readString(DOCS.resolve("getting-started.md")));
        while (file.find()) {
            documented.put(file.group(1), file.group(2));
        }
        assertThat(documented).hasSize(9);
        for (Map.Entry<String, String> one : documented.entrySet()) {
            // All of it is test code here.
            Path here = Path.of(one.getKey().replace("src/main/", "src/test/"));
            assertThat(one.getValue()).as(one.getKey()).isEqualTo(Files.readString(here));
        }
    }

    @Test
    void theBlocksOfTestingArePartsOfTests() throws IOException {
        List<String> tests = Stream.concat(
                        sources(Path.of("src/test")), sources(Path.of("../example-order-service/src/test")))
                .map(DocumentedCodeTests::normalized)
                .toList();
        List<String> blocks = JAVA.matcher(Files.readString(DOCS.resolve("testing.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSizeGreaterThan(3);
        for (String block : blocks) {
            assertThat(tests).as(block).anyMatch(test -> test.contains(normalized(block)));
        }
    }

    private static Stream<String> sources(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .map(DocumentedCodeTests::read)
                    .toList()
                    .stream();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without indentation and line breaks. */
    private static String normalized(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
