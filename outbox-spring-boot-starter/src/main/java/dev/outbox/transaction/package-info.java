/** Whether the calling thread is in a transaction that a row of the outbox may join, and the way into it. */
@NullMarked
package dev.outbox.transaction;

import org.jspecify.annotations.NullMarked;
