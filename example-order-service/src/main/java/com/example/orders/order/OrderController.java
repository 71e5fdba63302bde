package com.example.orders.order;

import jakarta.validation.Valid;
import java.net.URI;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

@RestController
@RequestMapping("/orders")
class OrderController {

    private final OrderService orders;

    OrderController(OrderService orders) {
        this.orders = orders;
    }

    @PostMapping
    ResponseEntity<Order> place(@Valid @RequestBody PlaceOrder command, UriComponentsBuilder uri) {
        Order order = orders.place(command);
        URI location = uri.path("/orders/{id}").build(order.id());
        return ResponseEntity.created(location).body(order);
    }

    @GetMapping("/{id}")
    Order get(@PathVariable UUID id) {
        return orders.find(id).orElseThrow(() -> new OrderNotFoundException(id));
    }

    @PostMapping("/{id}/cancel")
    Order cancel(@PathVariable UUID id) {
        return orders.cancel(id).orElseThrow(() -> new OrderNotFoundException(id));
    }
}
