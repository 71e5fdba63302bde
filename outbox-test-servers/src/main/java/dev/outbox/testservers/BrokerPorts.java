package dev.outbox.testservers;

/** The ports of a broker that is its own controller. */
record BrokerPorts(int clients, int internal, int controller) {

    static BrokerPorts free() {
        return new BrokerPorts(FreePorts.next(), FreePorts.next(), FreePorts.next());
    }

    String clientAddress() {
        return "127.0.0.1:" + clients;
    }

    String internalAddress() {
        return "127.0.0.1:" + internal;
    }
}
