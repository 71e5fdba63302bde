package dev.outbox;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The documentation, the metadata for IDEs and the code name the same properties, defaults, units and bounds. */
class ConfigurationDocumentationTests {

    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

    private static final String TIME = "\\d+(ms|s|m|h|d)";
    private static final String SIZE = "\\d+(B|KB|MB|GB)";

    private final JsonNode metadata = metadata();
    private final Map<String, JsonNode> described = byName(metadata.get("properties"));
    private final Map<String, JsonNode> hints = byName(metadata.get("hints"));
    private final Map<String, List<String>> documented = documented();
    private final Map<String, Property> properties = properties();

    @Test
    void eachPropertyIsDocumentedAndEachDocumentedOneIsThere() {
        assertThat(properties).isNotEmpty();
        assertThat(documented.keySet()).isEqualTo(properties.keySet());
        assertThat(described.keySet()).isEqualTo(properties.keySet());
    }

    @Test
    void theDefaultsAreThoseOfTheCode() {
        properties.forEach((name, property) -> {
            JsonNode inMetadata = described.get(name).get("defaultValue");
            String inDocumentation = documented.get(name).get(0).replace("`", "");
            if (property.value == null) {
                assertThat(inDocumentation).as(name).isEmpty();
                assertThat(inMetadata).as(name).isNull();
            } else {
                assertThat(converted(inDocumentation, property.type)).as(name).isEqualTo(property.value);
                assertThat(inMetadata.asString()).as(name).isEqualTo(inDocumentation);
            }
        });
    }

    @Test
    void eachTimeAndSizeHasItsUnit() {
        properties.forEach((name, property) -> {
            String form = property.type == Duration.class ? TIME : property.type == DataSize.class ? SIZE : "";
            if (!form.isEmpty()) {
                assertThat(documented.get(name).get(0)).as(name).matches("`" + form + "`");
                assertThat(documented.get(name).get(1)).as(name).matches("`" + form + "` to `" + form + "`");
            }
        });
    }

    @Test
    void theBoundsAreThoseOfTheCode() {
        for (OutboxPropertiesTests.Bounds bounds : OutboxPropertiesTests.BOUNDS) {
            assertThat(documented.get(bounds.property()).get(1))
                    .as(bounds.property())
                    .isEqualTo("`" + bounds.least() + "` to `" + bounds.most() + "`");
        }
        Set<String> bounded = OutboxPropertiesTests.BOUNDS.stream()
                .map(OutboxPropertiesTests.Bounds::property)
                .collect(toSet());
        documented.forEach((name, cells) ->
                assertThat(cells.get(1).contains("` to `")).as(name).isEqualTo(bounded.contains(name)));
    }

    @Test
    void eachPropertySaysWhatItMeans() {
        documented.forEach((name, cells) -> assertThat(cells.get(2)).as(name).hasSizeGreaterThan(10));
        described.forEach(
                (name, property) -> assertThat(property.path("description").asString(""))
                        .as(name)
                        .hasSizeGreaterThan(10)
                        .endsWith("."));
    }

    /** What IDEs offer beside the name. They know the values of a boolean and of an enum by themselves. */
    @Test
    void eachPropertyThatIsNoSwitchHasHints() {
        Set<String> noSwitches = properties.entrySet().stream()
                .filter(property -> !property.getValue().isSwitch())
                .map(Map.Entry::getKey)
                .collect(toSet());
        assertThat(hints.keySet())
                .as("hints in META-INF/additional-spring-configuration-metadata.json")
                .containsExactlyInAnyOrderElementsOf(noSwitches);
        hints.forEach((name, hint) -> assertThat(
                        hint.path("values").size() + hint.path("providers").size())
                .as(name)
                .isPositive());
    }

    @Test
    void eachValueThatIsOfferedCanBeHadAndTheDefaultIsTheFirst() {
        hints.forEach((name, hint) -> {
            Object value = properties.get(name).value;
            for (JsonNode offer : hint.path("values")) {
                assertThat(offer.path("description").asString("")).as(name).endsWith(".");
                bound(Map.of(name, offer.get("value").asString()));
            }
            if (value != null && hint.has("values")) {
                assertThat(converted(hint.get("values").get(0).get("value").asString(), properties.get(name).type))
                        .as(name)
                        .isEqualTo(value);
            }
        });
    }

    private static OutboxProperties bound(Map<String, String> values) {
        return new Binder(new MapConfigurationPropertySource(values))
                .bindOrCreate("outbox", Bindable.of(OutboxProperties.class));
    }

    private static @Nullable Object converted(String text, Class<?> type) {
        return ApplicationConversionService.getSharedInstance().convert(text, type);
    }

    /** What the code has, with nothing configured. */
    private static Map<String, Property> properties() {
        Map<String, Property> properties = new TreeMap<>();
        collect("outbox", bound(Map.of()), properties);
        return properties;
    }

    private static void collect(String prefix, Object group, Map<String, Property> properties) {
        for (RecordComponent component : group.getClass().getRecordComponents()) {
            String name = prefix + "."
                    + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            try {
                Object value = component.getAccessor().invoke(group);
                if (component.getType().isRecord()) {
                    collect(name, value, properties);
                } else {
                    properties.put(name, new Property(component.getType(), value));
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static JsonNode metadata() {
        try (InputStream json = ConfigurationDocumentationTests.class.getResourceAsStream(METADATA)) {
            return JsonMapper.shared().readTree(json);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, JsonNode> byName(JsonNode nodes) {
        Map<String, JsonNode> named = new TreeMap<>();
        nodes.forEach(node -> named.put(node.get("name").asString(), node));
        return named;
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

    private record Property(Class<?> type, @Nullable Object value) {

        boolean isSwitch() {
            return type == boolean.class || type == Boolean.class || type.isEnum();
        }
    }
}
