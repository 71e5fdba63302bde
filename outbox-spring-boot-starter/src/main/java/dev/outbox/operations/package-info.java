/**
 * What an operator does about dead letters: {@link dev.outbox.operations.JdbcOutboxOperations} finds them and decides
 * about them, in chunks that each commit for themselves, while the relays go on.
 */
@NullMarked
package dev.outbox.operations;

import org.jspecify.annotations.NullMarked;
