/** The relay among servers that are killed, frozen and restarted: nothing is lost, and the order of each key holds. */
@NullMarked
package dev.outbox.faults;

import org.jspecify.annotations.NullMarked;
