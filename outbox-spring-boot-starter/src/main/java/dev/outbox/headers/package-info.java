/** The one format in which the column {@code headers} holds Kafka headers, for those who write and those who read it. */
@NullMarked
package dev.outbox.headers;

import org.jspecify.annotations.NullMarked;
