package dev.outbox.testservers;

import java.util.Map;

/** A JVM that starts servers, tells their processes and never ends by itself. */
final class AbandonedServers {

    private AbandonedServers() {}

    public static void main(String[] args) throws InterruptedException {
        OwnPostgres.start(Map.of());
        OwnKafka.start(Map.of()).freeze();
        ProcessHandle.current().descendants().map(ProcessHandle::pid).forEach(System.out::println);
        System.out.println();
        Thread.currentThread().join();
    }
}
