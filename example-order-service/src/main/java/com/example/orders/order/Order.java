package com.example.orders.order;

import java.math.BigDecimal;
import java.util.UUID;

record Order(UUID id, String customerId, BigDecimal amount, OrderStatus status) {

    static Order from(PlaceOrder command) {
        // Two decimals, as the database keeps them: 5 and 5.00 are one amount, to events and answers alike.
        BigDecimal amount = command.amount().setScale(2);
        return new Order(UUID.randomUUID(), command.customerId(), amount, OrderStatus.PLACED);
    }
}
