package com.example.orders.order;

enum OrderStatus {
    PLACED,
    CANCELLED
}
