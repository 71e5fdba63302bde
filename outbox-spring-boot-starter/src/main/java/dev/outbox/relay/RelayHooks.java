package dev.outbox.relay;

import dev.outbox.OutboxListener;
import dev.outbox.RetryPolicy;
import java.util.List;

/**
 * What the application has its say in.
 *
 * @param retryPolicy decides about messages that could not be published
 * @param listeners hear what was done, in their order
 */
record RelayHooks(RetryPolicy retryPolicy, List<OutboxListener> listeners) {}
