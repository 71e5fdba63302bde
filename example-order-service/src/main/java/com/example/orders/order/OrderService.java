package com.example.orders.order;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class OrderService {

    private final OrderRepository orders;
    private final OutboxWriter outbox;

    OrderService(OrderRepository orders, OutboxWriter outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    /** Saves the order and its event: both, or neither. */
    @Transactional
    public Order place(PlaceOrder command) {
        Order order = orders.save(Order.from(command));
        outbox.write(event(order)
                .type("OrderCreated")
                .payload(new OrderCreated(order.id(), order.customerId(), order.amount())));
        return order;
    }

    public Optional<Order> find(UUID id) {
        return orders.find(id);
    }

    /**
     * Cancels the order. Doing so again is allowed and changes nothing, so a client may repeat a
     * request whose answer it did not get; there is one event, however many requests there were.
     */
    @Transactional
    public Optional<Order> cancel(UUID id) {
        Optional<Order> cancelled = orders.cancel(id);
        cancelled.ifPresent(order -> outbox.write(event(order)
                .type("OrderCancelled")
                .payload(new OrderCancelled(order.id(), order.customerId(), order.amount()))));
        return cancelled.or(() -> orders.find(id));
    }

    /** The order's id is the Kafka key, too: the events of one order arrive in the order of their writing. */
    private static OutboxMessage event(Order order) {
        return OutboxMessage.to(OrderEventsTopic.NAME).aggregate("order", order.id());
    }
}
