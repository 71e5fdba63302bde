package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The documentation, the metadata for IDEs and the code name the same properties, defaults and bounds. */
class ConfigurationDocumentationTests {

    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

    private final Map<String, JsonNode> metadata = metadata();
    private final Map<String, List<String>> documented = documented();

    @Test
    void eachPropertyIsDocumented() {
        assertThat(metadata).isNotEmpty();
        assertThat(documented.keySet()).isEqualTo(metadata.keySet());
    }

    @Test
    void theDefaultsAreThoseOfTheCode() {
        metadata.forEach((name, property) -> {
            JsonNode value = property.get("defaultValue");
            assertThat(documented.get(name).get(0))
                    .as(name)
                    .isEqualTo(value == null ? "" : "`" + value.asString() + "`");
        });
    }

    @Test
    void theBoundsAreThoseOfTheCode() {
        for (OutboxPropertiesTests.Bounds bounds : OutboxPropertiesTests.BOUNDS) {
            assertThat(documented.get(bounds.property()).get(1))
                    .as(bounds.property())
                    .isEqualTo("`" + bounds.least() + "` to `" + bounds.most() + "`");
        }
    }

    @Test
    void eachPropertySaysWhatItMeans() {
        documented.forEach((name, cells) -> assertThat(cells.get(2)).as(name).hasSizeGreaterThan(10));
        metadata.forEach(
                (name, property) -> assertThat(property.path("description").asString(""))
                        .as(name)
                        .hasSizeGreaterThan(10)
                        .endsWith("."));
    }

    private static Map<String, JsonNode> metadata() {
        Map<String, JsonNode> properties = new TreeMap<>();
        try (InputStream json = ConfigurationDocumentationTests.class.getResourceAsStream(METADATA)) {
            for (JsonNode property : JsonMapper.shared().readTree(json).get("properties")) {
                properties.put(property.get("name").asString(), property);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return properties;
    }

    /** Default, bounds and meaning of each property. */
    private static Map<String, List<String>> documented() {
        Map<String, List<String>> properties = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(Path.of("..", "docs", "configuration.md"))) {
                if (line.startsWith("| `outbox.")) {
                    List<String> cells =
                            Arrays.stream(line.split("\\|")).map(String::strip).toList();
                    properties.put(cells.get(1).replace("`", ""), cells.subList(2, 5));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return properties;
    }
}
