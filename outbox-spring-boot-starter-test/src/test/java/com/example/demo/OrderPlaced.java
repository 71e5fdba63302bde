package com.example.demo;

import java.math.BigDecimal;

record OrderPlaced(long orderId, String customer, BigDecimal amount) {}
