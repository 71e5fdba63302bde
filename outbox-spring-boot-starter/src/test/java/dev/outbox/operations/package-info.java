/** Operators, several at once and among running relays. */
@NullMarked
package dev.outbox.operations;

import org.jspecify.annotations.NullMarked;
