package dev.outbox.faults;

import static dev.outbox.OutboxMessage.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.test.TestService;
import dev.outbox.test.Topics;
import dev.outbox.testservers.OwnKafka;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A topic that does not work hurts nobody else, and its messages are not to blame: they flow as soon as it works. */
class TopicFailureIntegrationTests {

    private final OwnKafka kafka = FaultBroker.healthy();
    private final Stage stage = Stage.on(kafka);
    private final String healthy = Topics.create(kafka, "healthy", 2, Map.of());

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void theMessagesOfAMissingTopicWaitUntilItIsThere() {
        String missing = "missing-" + UUID.randomUUID();
        Load waiting = new Load(stage.writer(), missing, 10);
        Load flowing = new Load(stage.writer(), healthy, 10);
        waiting.write(100);
        flowing.write(100);
        try (waiting;
                flowing;
                TestService relay = stage.relay("relay").start()) {
            stage.awaitPending(waiting.committed());
            try (Load more = new Load(stage.writer(), Topics.create(kafka, "later"), 8)) {
                more.write(50);
                stage.awaitPending(waiting.committed());
                more.assertPublishedInOrder(kafka);
            }
            flowing.assertPublishedInOrder(kafka);

            kafka.createTopic(missing, 2, Map.of());
            stage.awaitDrained();
            waiting.assertPublishedInOrder(kafka);
        }
    }

    @Test
    void severalMissingTopicsAreFoundOneByOne() {
        for (int i = 0; i < 5; i++) {
            stage.writer().write(to("missing-" + UUID.randomUUID()).key("k").payload("waits"));
        }
        try (Load flowing = new Load(stage.writer(), healthy, 10);
                TestService relay = stage.relay("relay").start()) {
            flowing.write(100);
            stage.awaitPending(5);
            flowing.assertPublishedInOrder(kafka);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"not a topic!", "..", "LONG", "VERY LONG"})
    void aNameThatNoTopicCanHaveBlocksNobodyElse(String name) {
        String topic = switch (name) {
            case "LONG" -> "x".repeat(250);
            // Longer than what the protocol has room for.
            case "VERY LONG" -> "x".repeat(40_000);
            default -> name;
        };
        insert(topic, "k", "waits");
        try (Load flowing = new Load(stage.writer(), healthy, 10);
                TestService relay = stage.relay("relay").start()) {
            flowing.write(100);
            insert(topic, "k", "waits too");
            stage.awaitPending(2);
            flowing.write(100);
            stage.awaitPending(2);
            flowing.assertPublishedInOrder(kafka);
        }
    }

    @Test
    void theMessagesOfATopicThatIsForbiddenWaitUntilItIsGranted() {
        String forbidden = Topics.create(kafka, "forbidden", 2, Map.of());
        AclBinding allowed = acl(forbidden, AclOperation.ALL, AclPermissionType.ALLOW);
        AclBinding denied = acl(forbidden, AclOperation.WRITE, AclPermissionType.DENY);
        forbiddenTopic(forbidden, allowed, denied);
    }

    @Test
    void theMessagesOfATopicThatMayNotEvenBeSeenWaitUntilItIsGranted() {
        String forbidden = Topics.create(kafka, "hidden", 2, Map.of());
        AclBinding denied = acl(forbidden, AclOperation.ALL, AclPermissionType.DENY);
        forbiddenTopic(forbidden, denied);
    }

    private void forbiddenTopic(String forbidden, AclBinding... acls) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
                Load waiting = new Load(stage.writer(), forbidden, 10);
                Load flowing = new Load(stage.writer(), healthy, 10)) {
            createAcls(admin, acls);
            awaitForbidden(admin, forbidden);
            waiting.write(100);
            flowing.write(100);
            try (TestService relay = stage.relay("relay").start()) {
                stage.awaitPending(waiting.committed());
                waiting.write(20);
                flowing.write(100);
                stage.awaitPending(waiting.committed());
                flowing.assertPublishedInOrder(kafka);
                assertThat(stage.rows(forbidden))
                        .allSatisfy(row -> assertThat(row.get("attempts")).isEqualTo(0));

                deleteAcls(admin, acls);
                stage.awaitDrained();
                waiting.assertPublishedInOrder(kafka);
            }
        }
    }

    private static AclBinding acl(String topic, AclOperation operation, AclPermissionType permission) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:*", "*", operation, permission));
    }

    private static void createAcls(Admin admin, AclBinding... acls) {
        try {
            admin.createAcls(List.of(acls)).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static void deleteAcls(Admin admin, AclBinding... acls) {
        List<AclBindingFilter> filters =
                List.of(acls).stream().map(AclBinding::toFilter).toList();
        try {
            admin.deleteAcls(filters).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** The broker applies new ACLs a moment after it has accepted them. */
    private static void awaitForbidden(Admin admin, String topic) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        await("writing is forbidden").atMost(Stage.BOUND).until(() -> {
            try {
                return !admin.describeTopics(List.of(topic), options)
                        .topicNameValues()
                        .get(topic)
                        .get()
                        .authorizedOperations()
                        .contains(AclOperation.WRITE);
            } catch (ExecutionException e) {
                return e.getCause() instanceof TopicAuthorizationException;
            }
        });
    }

    private void insert(String topic, String key, String text) {
        stage.writer()
                .jdbc()
                .update(
                        "INSERT INTO outbox_message (topic, key, payload_bytes) VALUES (?, ?, convert_to(?, 'UTF8'))",
                        topic,
                        key,
                        text);
    }
}
