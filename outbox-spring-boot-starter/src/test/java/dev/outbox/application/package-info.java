/** What the starter does to the application around it: nothing. Each test looks at both, the outbox and the rest. */
@NullMarked
package dev.outbox.application;

import org.jspecify.annotations.NullMarked;
