package com.example.orders.summary;

import java.math.BigDecimal;

/** How many orders a customer has that are not cancelled, and what they add up to. */
record CustomerSummary(String customerId, long count, BigDecimal total) {

    static CustomerSummary empty(String customerId) {
        return new CustomerSummary(customerId, 0, new BigDecimal("0.00"));
    }
}
