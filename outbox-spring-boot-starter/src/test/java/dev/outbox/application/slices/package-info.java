/** A small application and its slice tests, as its developers would write them. */
@NullMarked
package dev.outbox.application.slices;

import org.jspecify.annotations.NullMarked;
