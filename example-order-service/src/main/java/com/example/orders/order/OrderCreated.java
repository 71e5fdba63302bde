package com.example.orders.order;

import java.math.BigDecimal;
import java.util.UUID;

/** Payload of the event of that name: what other services may rely on. */
record OrderCreated(UUID orderId, String customerId, BigDecimal amount) {}
