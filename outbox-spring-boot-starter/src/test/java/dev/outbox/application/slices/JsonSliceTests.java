package dev.outbox.application.slices;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.json.JacksonTester;
import org.springframework.context.ApplicationContext;

/** {@code @JsonTest} has the mapper. */
@JsonTest
class JsonSliceTests {

    @Autowired
    private JacksonTester<Note> json;

    @Test
    void theMapperWorks(@Autowired ApplicationContext context) throws Exception {
        assertThat(json.write(new Note(1, "one"))).isEqualToJson("{\"id\": 1, \"text\": \"one\"}");
        assertThat(context.getBeanDefinitionNames()).noneMatch(name -> name.startsWith("outbox"));
    }
}
