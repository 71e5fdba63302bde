package com.example.orders.summary;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CustomerSummaryController {

    private final CustomerSummaryRepository summaries;

    CustomerSummaryController(CustomerSummaryRepository summaries) {
        this.summaries = summaries;
    }

    /** Follows the orders with a short delay. A customer who has ordered nothing yet has an empty summary. */
    @GetMapping("/customers/{customerId}/summary")
    CustomerSummary get(@PathVariable String customerId) {
        return summaries.find(customerId).orElseGet(() -> CustomerSummary.empty(customerId));
    }
}
