package com.example.demo;

import java.math.BigDecimal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {

    private final OrderService orders;

    OrderController(OrderService orders) {
        this.orders = orders;
    }

    @PostMapping("/orders")
    long place(@RequestBody PlaceOrder command) {
        return orders.place(command.customer(), command.amount());
    }

    record PlaceOrder(String customer, BigDecimal amount) {}
}
