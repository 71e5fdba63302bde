/** Services with several DataSources: each part of the outbox follows the choice of one. */
@NullMarked
package dev.outbox.datasources;

import org.jspecify.annotations.NullMarked;
