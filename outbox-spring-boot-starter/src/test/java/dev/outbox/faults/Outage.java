package dev.outbox.faults;

import static org.awaitility.Awaitility.await;

import dev.outbox.testservers.OwnKafka;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What happens to brokers and topics, and is no fault of a message. */
@SuppressWarnings("ImmutableEnumChecker") // the array is not given away
enum Outage {
    BROKER_KILLED(RelayLogLines.BROKER_DOWN) {
        @Override
        void begin(OwnKafka kafka, String topic) {
            kafka.kill();
        }

        @Override
        void end(OwnKafka kafka, String topic) {
            kafka.startAgain();
        }
    },
    BROKER_FROZEN(RelayLogLines.BROKER_DOWN) {
        @Override
        void begin(OwnKafka kafka, String topic) {
            kafka.freeze();
        }

        @Override
        void end(OwnKafka kafka, String topic) {
            kafka.thaw();
        }
    },
    TOPIC_DENIED("Topic ") {
        @Override
        void begin(OwnKafka kafka, String topic) {
            try (Admin admin = admin(kafka)) {
                get(admin.createAcls(all(topic)).all());
                DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
                await("writing is forbidden")
                        .atMost(Stage.BOUND)
                        .until(() -> !admin.describeTopics(List.of(topic), options)
                                .topicNameValues()
                                .get(topic)
                                .get()
                                .authorizedOperations()
                                .contains(AclOperation.WRITE));
            }
        }

        @Override
        void end(OwnKafka kafka, String topic) {
            try (Admin admin = admin(kafka)) {
                get(admin.deleteAcls(
                                all(topic).stream().map(AclBinding::toFilter).toList())
                        .all());
            }
        }

        private List<AclBinding> all(String topic) {
            return denied(ResourceType.TOPIC, topic, AclOperation.WRITE);
        }
    },
    /** The producer may not even begin: it ends up in a state in which it fails each record. */
    PRODUCER_DENIED("Kafka answers, but did not acknowledge", "Topic ") {
        @Override
        void begin(OwnKafka kafka, String topic) {
            try (Admin admin = admin(kafka)) {
                get(admin.createAcls(everywhere()).all());
            }
        }

        @Override
        void end(OwnKafka kafka, String topic) {
            try (Admin admin = admin(kafka)) {
                get(admin.deleteAcls(
                                everywhere().stream().map(AclBinding::toFilter).toList())
                        .all());
            }
        }

        private List<AclBinding> everywhere() {
            return Stream.concat(
                            denied(ResourceType.TOPIC, "*", AclOperation.WRITE).stream(),
                            denied(ResourceType.CLUSTER, "kafka-cluster", AclOperation.IDEMPOTENT_WRITE).stream())
                    .toList();
        }
    },
    TOPIC_DELETED("Topic ") {
        @Override
        void begin(OwnKafka kafka, String topic) {
            try (Admin admin = admin(kafka)) {
                get(admin.deleteTopics(List.of(topic)).all());
                await("the topic is gone").atMost(Stage.BOUND).until(() -> {
                    try {
                        admin.describeTopics(List.of(topic)).allTopicNames().get();
                        return false;
                    } catch (ExecutionException e) {
                        return e.getCause() instanceof UnknownTopicOrPartitionException;
                    }
                });
            }
        }

        @Override
        void end(OwnKafka kafka, String topic) {
            kafka.createTopic(topic, 1, Map.of());
        }
    };

    private final String[] noticed;

    /** With the log lines of which one says that a relay knows. */
    Outage(String... noticed) {
        this.noticed = noticed;
    }

    abstract void begin(OwnKafka kafka, String topic);

    abstract void end(OwnKafka kafka, String topic);

    /** Waits until a relay knows. */
    void awaitNoticed(RelayLogLines log) {
        log.awaitAny(noticed);
    }

    private static Admin admin(OwnKafka kafka) {
        return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    /** One thing is denied. The rest has to be allowed then: without any list everything is. */
    private static List<AclBinding> denied(ResourceType type, String name, AclOperation operation) {
        return List.of(
                acl(type, name, AclOperation.ALL, AclPermissionType.ALLOW),
                acl(type, name, operation, AclPermissionType.DENY));
    }

    private static AclBinding acl(
            ResourceType type, String name, AclOperation operation, AclPermissionType permission) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:*", "*", operation, permission));
    }

    private static void get(KafkaFuture<?> done) {
        try {
            done.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }
}
