package dev.outbox.relay;

import org.jspecify.annotations.Nullable;

/**
 * What a pass of the relay came to.
 *
 * @param published messages that the broker acknowledged
 * @param next how to go on
 * @param brokerFailure why the broker is in doubt, with {@link Next#CHECK_BROKER}
 */
record PassResult(int published, Next next, @Nullable Throwable brokerFailure) {

    /** How to go on after a pass. */
    enum Next {
        /** There may be more to do at once. */
        AGAIN,
        /** Nothing to do, or nothing that could be done now. */
        WAIT,
        /** Find out, without a transaction, whether the broker answers. */
        CHECK_BROKER
    }

    static PassResult idle() {
        return new PassResult(0, Next.WAIT, null);
    }
}
