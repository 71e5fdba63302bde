/** Step 1, write: a message becomes a row in the caller's transaction, or is refused before any SQL. */
@NullMarked
package dev.outbox.writer;

import org.jspecify.annotations.NullMarked;
