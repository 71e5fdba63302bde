package dev.outbox.transaction;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Puts the watch on every transaction manager when it is created, for whatever reason: before other post-processors put
 * something around it.
 */
final class WatchPostProcessor implements BeanPostProcessor, PriorityOrdered {

    private final TransactionExecutionListener watch = new TransactionWatch();

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Object target = AopProxyUtils.getSingletonTarget(bean);
        watch(target == null ? bean : target);
        return bean;
    }

    private void watch(Object bean) {
        // Reactive ones begin on one thread and go on in another.
        if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
            Collection<TransactionExecutionListener> present = manager.getTransactionExecutionListeners();
            // Null in proxies of managers that were made without their constructor.
            if (present != null && !present.contains(watch)) {
                // An application may have set a collection that cannot grow.
                List<TransactionExecutionListener> all = new ArrayList<>(present);
                all.add(watch);
                manager.setTransactionExecutionListeners(all);
            }
        }
    }
}
