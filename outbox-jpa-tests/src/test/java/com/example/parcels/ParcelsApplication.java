package com.example.parcels;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A service as Spring Initializr would start it: Spring Data JPA, Flyway, PostgreSQL, and the outbox. */
@SpringBootApplication
class ParcelsApplication {}
