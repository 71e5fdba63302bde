package com.example.orders.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.verifyNoInteractions;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

@WebMvcTest(OrderController.class)
@AutoConfigureRestTestClient
class OrderControllerTests {

    private static final UUID ID = UUID.fromString("2b1f0a4e-6c5d-4a53-9a83-0c1b7b0a9d11");

    @Autowired
    private RestTestClient http;

    @MockitoBean
    private OrderService orders;

    @Test
    void aPlacedOrderIsAnsweredWithItsIdAndLocation() {
        given(orders.place(new PlaceOrder("alice", new BigDecimal("42.5"))))
                .willReturn(new Order(ID, "alice", new BigDecimal("42.50"), OrderStatus.PLACED));

        post("{\"customerId\": \"alice\", \"amount\": 42.5}")
                .expectStatus()
                .isCreated()
                .expectHeader()
                .location("http://localhost/orders/" + ID)
                .expectBody()
                .json("""
                        {"id": "%s", "customerId": "alice", "amount": 42.50, "status": "PLACED"}""".formatted(ID));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    customerId | {"amount": 1}
                    customerId | {"customerId": null, "amount": 1}
                    customerId | {"customerId": "", "amount": 1}
                    customerId | {"customerId": "  ", "amount": 1}
                    customerId | {"customerId": "a\\u0000b", "amount": 1}
                    customerId | {"customerId": "a\\ud800b", "amount": 1}
                    customerId | {"customerId": ["alice"], "amount": 1}
                    amount     | {"customerId": "alice"}
                    amount     | {"customerId": "alice", "amount": null}
                    amount     | {"customerId": "alice", "amount": 0}
                    amount     | {"customerId": "alice", "amount": -0.01}
                    amount     | {"customerId": "alice", "amount": 1.005}
                    amount     | {"customerId": "alice", "amount": 10000000000}
                    amount     | {"customerId": "alice", "amount": 1e2147483647}
                    amount     | {"customerId": "alice", "amount": 1e-2147483647}
                    amount     | {"customerId": "alice", "amount": "much"}
                    amount     | {"customerId": "alice", "amount": {}}
                    """)
    void invalidInputIsAnsweredWithTheFieldToCorrect(String field, String body) {
        post(body)
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.errors.length()")
                .isEqualTo(1)
                .jsonPath("$.errors[0].field")
                .isEqualTo(field)
                .jsonPath("$.detail")
                .value(String.class, detail -> assertThat(detail).startsWith(field + " "));
        verifyNoInteractions(orders);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "null", "[]", "{\"customerId\": \"alice\", \"amount\": 1} {}"})
    void malformedJsonIsAnsweredWithAProblemDetail(String body) {
        post(body).expectStatus().isBadRequest().expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON);
        verifyNoInteractions(orders);
    }

    @Test
    void anUnknownOrderIsNotFound() {
        given(orders.find(any())).willReturn(Optional.empty());
        given(orders.cancel(any())).willReturn(Optional.empty());

        expectNotFound(http.get().uri("/orders/{id}", ID).exchange());
        expectNotFound(http.post().uri("/orders/{id}/cancel", ID).exchange());
    }

    @Test
    void anIdThatIsNoneIsABadRequest() {
        http.get()
                .uri("/orders/42")
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON);
    }

    private ResponseSpec post(String body) {
        return http.post()
                .uri("/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .exchange();
    }

    private static void expectNotFound(ResponseSpec response) {
        response.expectStatus()
                .isNotFound()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("There is no order " + ID + ".");
    }
}
