/**
 * The transactional outbox: what a service calls, and what it may implement.
 *
 * <p>A message takes five steps, each in a package of its own. <b>Write</b> ({@code writer}): {@link
 * dev.outbox.OutboxWriter} inserts a row in the caller's transaction. <b>Claim</b>, <b>publish</b>,
 * <b>mark</b> ({@code relay}, {@code kafka}): the relay locks lanes of the table, sends their oldest
 * rows to Kafka in order, and marks what the broker acknowledged, all in one database transaction.
 * <b>Wake</b> ({@code relay}): a commit wakes the relay, a poll interval catches what a lost wake-up
 * leaves behind.
 *
 * <p>Guarantees: a message exists if and only if its transaction committed; it is delivered at least
 * once; the messages of one (topic, key) arrive in the order in which they were written, leaving
 * repeats aside; a message that cannot be published holds back its own key only.
 */
@NullMarked
package dev.outbox;

import org.jspecify.annotations.NullMarked;
