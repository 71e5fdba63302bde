/**
 * Steps 2 to 5. {@link dev.outbox.relay.RelayPass} is one batch: claim lanes and read them ({@link
 * dev.outbox.relay.OutboxStore}), publish ({@link dev.outbox.relay.BatchPublisher}), mark and commit.
 * {@link dev.outbox.relay.RelayLoop} repeats it: at once while there is work, else when woken. {@link
 * dev.outbox.relay.OutboxRelay} starts and stops the loop with the application.
 */
@NullMarked
package dev.outbox.relay;

import org.jspecify.annotations.NullMarked;
