package dev.outbox.soak;

import dev.outbox.testservers.OwnKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What goes wrong at the broker. It is killed or frozen by one at a time; who asks it for something tries again. */
final class BrokerFaults {

    /** So that topics can be denied: a real authorizer that allows what nobody has forbidden. */
    static final Map<String, String> BROKER_CONFIG = Map.of(
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "allow.everyone.if.no.acl.found", "true");

    private final OwnKafka kafka;
    private final Journal journal;
    private final ReentrantLock process = new ReentrantLock();

    BrokerFaults(OwnKafka kafka, Journal journal) {
        this.kafka = kafka;
        this.journal = journal;
    }

    void killFor(Duration duration) throws InterruptedException {
        process.lockInterruptibly();
        try {
            kafka.kill();
            TimeUnit.MILLISECONDS.sleep(duration.toMillis());
            Patience.start("the broker", kafka::startAgain, journal);
        } finally {
            process.unlock();
        }
    }

    void freezeFor(Duration duration) throws InterruptedException {
        process.lockInterruptibly();
        try {
            kafka.freeze();
            TimeUnit.MILLISECONDS.sleep(duration.toMillis());
            kafka.thaw();
        } finally {
            process.unlock();
        }
    }

    /** Nobody may write to a topic for a while. */
    void denyFor(String topic, Duration duration) throws InterruptedException {
        AclBinding denied = new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:*", "*", AclOperation.WRITE, AclPermissionType.DENY));
        AclBinding rest = new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:*", "*", AclOperation.ALL, AclPermissionType.ALLOW));
        untilDone(admin -> admin.createAcls(List.of(denied, rest)).all().get(20, TimeUnit.SECONDS));
        TimeUnit.MILLISECONDS.sleep(duration.toMillis());
        untilDone(admin -> admin.deleteAcls(List.of(denied.toFilter(), rest.toFilter()))
                .all()
                .get(20, TimeUnit.SECONDS));
    }

    /** Creates a topic that messages wait for. */
    void createTopic(String topic) throws InterruptedException {
        while (true) {
            try {
                SoakTopics.createMissing(kafka, topic);
                return;
            } catch (TopicExistsException e) {
                // The answer to an earlier try got lost.
                return;
            } catch (RuntimeException e) {
                journal.line("not yet created: " + topic + " (" + e + ")");
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private void untilDone(Request request) throws InterruptedException {
        while (true) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
                request.send(admin);
                return;
            } catch (ExecutionException | TimeoutException e) {
                journal.line("not yet done by the broker (" + e + ")");
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private interface Request {
        void send(Admin admin) throws InterruptedException, ExecutionException, TimeoutException;
    }
}
