/** The idempotent consumer: handler effects and the record of having handled commit together, once. */
@NullMarked
package dev.outbox.consumer;

import org.jspecify.annotations.NullMarked;
