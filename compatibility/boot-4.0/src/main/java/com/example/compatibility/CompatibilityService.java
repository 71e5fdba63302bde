package com.example.compatibility;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A service that takes orders, publishes them and ships what it receives. */
@SpringBootApplication
public class CompatibilityService {}
