package dev.outbox.relay;

import java.util.List;

/**
 * What the transaction of a batch says about its messages.
 *
 * @param published messages that are marked as published
 * @param failed attempts that count
 */
record Marked(List<PendingMessage> published, List<FailedAttempt> failed) {}
