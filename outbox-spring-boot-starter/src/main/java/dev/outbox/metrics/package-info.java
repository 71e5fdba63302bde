/** What the outbox tells Micrometer: what it did, and how much is left to do. */
@NullMarked
package dev.outbox.metrics;

import org.jspecify.annotations.NullMarked;
