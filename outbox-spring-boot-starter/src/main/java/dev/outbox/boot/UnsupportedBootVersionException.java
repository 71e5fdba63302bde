package dev.outbox.boot;

import dev.outbox.OutboxException;

/** The application runs on a Spring Boot that the starter cannot work with. */
class UnsupportedBootVersionException extends OutboxException {

    private static final long serialVersionUID = 1L;

    UnsupportedBootVersionException(String version) {
        super("The outbox needs Spring Boot 4 or later, and this application runs on Spring Boot " + version + ".");
    }
}
