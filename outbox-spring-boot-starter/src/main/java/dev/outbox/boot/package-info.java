/**
 * Stops an application on a Spring Boot that the starter cannot work with, before anything else fails for the same
 * reason less clearly or goes missing in silence. These classes use only what Spring Boot 3 has, too.
 */
@NullMarked
package dev.outbox.boot;

import org.jspecify.annotations.NullMarked;
