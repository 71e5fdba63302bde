/** The relay's way to Kafka: a producer of its own, whose settings keep order, and what its failures mean. */
@NullMarked
package dev.outbox.kafka;

import org.jspecify.annotations.NullMarked;
