package com.example.orders.summary;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;

/** The part of an order event that the summary is made of. An event may bring more. */
record OrderEvent(String customerId, BigDecimal amount) {

    OrderEvent {
        requireNonNull(customerId, "customerId");
        requireNonNull(amount, "amount");
    }
}
