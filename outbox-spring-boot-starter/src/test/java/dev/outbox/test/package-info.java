/** What the tests of the starter stand on: a service that uses it, and a look at both of its ends. */
@NullMarked
package dev.outbox.test;

import org.jspecify.annotations.NullMarked;
