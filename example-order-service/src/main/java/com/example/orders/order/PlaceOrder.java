package com.example.orders.order;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;

record PlaceOrder(
        @NotBlank
        @Size(max = 100)
        @Pattern(regexp = "[^\\p{Cc}\\p{Cs}]*", message = "must not contain control characters")
        String customerId,

        @NotNull
        @Positive
        @DecimalMax("9999999999.99")
        @Digits(integer = Integer.MAX_VALUE, fraction = 2, message = "must have at most two decimals")
        BigDecimal amount) {}
