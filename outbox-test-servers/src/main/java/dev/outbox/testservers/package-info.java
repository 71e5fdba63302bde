/**
 * Decides, in one place, where the PostgreSQL and Kafka servers of the tests come from, and starts servers that a test
 * may kill or freeze. Internal to this build, never published; the embedded servers need a Unix system.
 */
@NullMarked
package dev.outbox.testservers;

import org.jspecify.annotations.NullMarked;
