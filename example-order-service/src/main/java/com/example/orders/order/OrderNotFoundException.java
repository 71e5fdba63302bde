package com.example.orders.order;

import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

class OrderNotFoundException extends ErrorResponseException {

    private static final long serialVersionUID = 1L;

    OrderNotFoundException(UUID id) {
        super(
                HttpStatus.NOT_FOUND,
                ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "There is no order " + id + "."),
                null);
    }
}
