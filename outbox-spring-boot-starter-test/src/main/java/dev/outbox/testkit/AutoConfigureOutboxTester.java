package dev.outbox.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Gives a Spring test an {@link OutboxTester}, and keeps the relay from running by itself: what the
 * service writes stays in the outbox until the test publishes it.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureOutboxTester
 * class OrderServiceTests {
 *
 *     @Autowired
 *     private OutboxTester outbox;
 * }
 * }</pre>
 *
 * <p>On a test slice that has a DataSource, such as {@code @JdbcTest}, it adds the writer and the
 * idempotent consumer too, but no relay.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("outbox.relay")
public @interface AutoConfigureOutboxTester {

    /**
     * Whether the relay runs by itself all the same, as it does in production. {@link
     * OutboxTester#publishAll()} is refused then. Sets {@code outbox.relay.auto-startup}.
     */
    @PropertyMapping("auto-startup")
    boolean relayAutoStartup() default false;
}
