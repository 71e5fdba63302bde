/**
 * For the tests of a service with an outbox. {@link dev.outbox.testkit.AutoConfigureOutboxTester} on a
 * Spring test keeps the relay from running by itself and adds an {@link dev.outbox.testkit.OutboxTester},
 * which shows what was written and publishes it when the test says so.
 */
@NullMarked
package dev.outbox.testkit;

import org.jspecify.annotations.NullMarked;
