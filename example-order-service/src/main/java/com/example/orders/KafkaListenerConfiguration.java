package com.example.orders;

import dev.outbox.consumer.InvalidEventIdException;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.util.backoff.ExponentialBackOff;
import org.springframework.util.backoff.FixedBackOff;
import tools.jackson.core.JacksonException;

/**
 * What happens when a listener fails. An outage of the database is waited out, however long it lasts:
 * skipping the record would lose its event. A record that can never be handled is logged and skipped:
 * repeating it for ever would hold up its partition.
 */
@Configuration(proxyBeanMethods = false)
class KafkaListenerConfiguration {

    @Bean
    DefaultErrorHandler kafkaErrorHandler() {
        DefaultErrorHandler errorHandler = new DefaultErrorHandler(new FixedBackOff(1_000, 3));
        errorHandler.addNotRetryableExceptions(InvalidEventIdException.class, JacksonException.class);
        errorHandler.setBackOffFunction((record, failure) -> isOutage(failure) ? untilItIsOver() : null);
        return errorHandler;
    }

    private static boolean isOutage(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof TransientDataAccessException
                        || cause instanceof DataAccessResourceFailureException
                        || cause instanceof CannotCreateTransactionException
                        || cause instanceof TransactionSystemException);
    }

    private static ExponentialBackOff untilItIsOver() {
        ExponentialBackOff backOff = new ExponentialBackOff(500, 2);
        backOff.setMaxInterval(10_000);
        return backOff;
    }
}
