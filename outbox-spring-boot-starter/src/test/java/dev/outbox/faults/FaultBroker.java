package dev.outbox.faults;

import dev.outbox.testservers.OwnKafka;
import java.util.Map;

/** The broker that the tests of this package kill and freeze. One for all of them, because its start takes seconds. */
final class FaultBroker {

    private static OwnKafka kafka;

    private FaultBroker() {}

    /** The broker, up and running whatever the test before has done to it. Who may do what is up to its ACLs. */
    static synchronized OwnKafka healthy() {
        if (kafka == null) {
            kafka = OwnKafka.start(Map.of(
                    "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                    "allow.everyone.if.no.acl.found", "true"));
        } else {
            heal(kafka);
        }
        return kafka;
    }

    private static void heal(OwnKafka kafka) {
        try {
            kafka.thaw();
        } catch (IllegalStateException e) {
            // It does not run.
            kafka.startAgain();
        }
    }
}
