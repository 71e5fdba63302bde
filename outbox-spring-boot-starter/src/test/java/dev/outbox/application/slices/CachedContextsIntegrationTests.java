package dev.outbox.application.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.Topics;
import dev.outbox.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestContextManager;

/** Two test classes, two contexts on one database, both kept in the cache: the one in use publishes. */
class CachedContextsIntegrationTests {

    private static final NotesServers SERVERS = NotesServers.create();

    @Test
    void aContextThatIsNotInUsePausesItsRelayAndResumesItWhenItIsUsedAgain() throws Exception {
        TestContextManager first = new TestContextManager(FirstTests.class);
        TestContextManager second = new TestContextManager(SecondTests.class);
        TestContextManager again = new TestContextManager(FirstTests.class);
        try {
            first.beforeTestClass();
            ApplicationContext one = first.getTestContext().getApplicationContext();
            UUID noteOfOne = publish(one, 1);
            first.afterTestClass();

            second.beforeTestClass();
            ApplicationContext two = second.getTestContext().getApplicationContext();
            assertThat(two).isNotSameAs(one);
            assertThat(relay(one).isRunning()).isFalse();
            assertThat(relay(two).isRunning()).isTrue();
            UUID noteOfTwo = publish(two, 2);
            second.afterTestClass();

            again.beforeTestClass();
            assertThat(again.getTestContext().getApplicationContext()).isSameAs(one);
            assertThat(relay(one).isRunning()).isTrue();
            assertThat(relay(two).isRunning()).isFalse();
            UUID noteOfOneAgain = publish(one, 3);
            again.afterTestClass();

            // With the pauses of the cache switched off, both are there.
            ((ConfigurableApplicationContext) two).restart();
            assertThat(List.of(relay(one).isRunning(), relay(two).isRunning())).containsOnly(true);
            UUID oneMore = publish(one, 4);
            UUID another = publish(two, 5);

            assertThat(Topics.eventIds(TestServers.kafka(), SERVERS.topic()))
                    .containsExactly(noteOfOne, noteOfTwo, noteOfOneAgain, oneMore, another);
        } finally {
            first.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
            second.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
        }
    }

    private static SmartLifecycle relay(ApplicationContext context) {
        return context.getBean("outboxRelay", SmartLifecycle.class);
    }

    private static UUID publish(ApplicationContext context, long note) {
        UUID id = context.getBean(NoteService.class).take(new Note(note, "x"));
        JdbcClient jdbc = context.getBean(JdbcClient.class);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> jdbc.sql("SELECT count(*) FROM outbox_message WHERE published_at IS NULL")
                                .query(Integer.class)
                                .single()
                        == 0);
        return id;
    }

    static class OnSharedDatabase {

        @DynamicPropertySource
        static void servers(DynamicPropertyRegistry registry) {
            SERVERS.register(registry);
        }
    }

    @SpringBootTest(classes = NotesApplication.class, webEnvironment = WebEnvironment.NONE)
    static class FirstTests extends OnSharedDatabase {}

    @SpringBootTest(classes = NotesApplication.class, webEnvironment = WebEnvironment.NONE, properties = "second=true")
    static class SecondTests extends OnSharedDatabase {}
}
