package dev.outbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code DataSource} of the outbox where an application has several. Its transactions carry the messages:
 * writer, relay, consumer, migrations and metrics all follow it.
 *
 * <pre>{@code
 * @Bean(defaultCandidate = false)
 * @OutboxDataSource
 * DataSource ordersDataSource() { … }
 * }</pre>
 *
 * <p>The property {@code outbox.data-source} goes before it, and it goes before {@code @Primary}. The marked bean
 * stays a candidate for other injection points, unless it says {@code defaultCandidate = false}; mark another one as
 * {@code @Primary} where these would not know which to take. At most one {@code DataSource} may be marked, or else the
 * start-up fails.
 *
 * <p>At an injection point it asks for the marked {@code DataSource}.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface OutboxDataSource {}
