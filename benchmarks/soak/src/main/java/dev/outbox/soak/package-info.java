/**
 * The soak: writers and relays on a real database and a real broker, a fault every few seconds, and at the end a judge
 * that compares what was committed with what has arrived. {@code SoakMain} starts it, {@code FaultSchedule} says what
 * will go wrong, {@code Judge} knows the promises.
 */
@NullMarked
package dev.outbox.soak;

import org.jspecify.annotations.NullMarked;
