package dev.outbox.application.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.when;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** {@code @WebMvcTest} has the controller and needs no server. */
@WebMvcTest
class WebMvcSliceTests {

    @MockitoBean
    private NoteService notes;

    @Test
    void theControllerWorks(@Autowired MockMvcTester http, @Autowired ApplicationContext context) {
        UUID id = UUID.randomUUID();
        when(notes.take(new Note(1, "one"))).thenReturn(id);

        assertThat(http.post()
                        .uri("/notes")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"id\": 1, \"text\": \"one\"}"))
                .hasStatusOk()
                .bodyText()
                .contains(id.toString());
        assertThat(context.getBeanDefinitionNames()).noneMatch(name -> name.startsWith("outbox"));
    }
}
