package dev.outbox.schema;

import dev.outbox.OutboxSetupException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * A bean that a property names.
 *
 * @param property the property, for messages
 * @param type what the bean has to be
 */
record NamedBean<T>(String property, Class<T> type) {

    /**
     * Looks the bean up, in this context and those above it.
     *
     * @throws OutboxSetupException if there is none of the name, or it is something else
     */
    T get(ListableBeanFactory beans, String name) {
        if (!beans.containsBean(name)) {
            throw unusable(beans, name, "there is none of this name");
        }
        Object bean = beans.getBean(name);
        if (!type.isInstance(bean)) {
            throw unusable(beans, name, "that is a " + bean.getClass().getName() + ", not a " + type.getSimpleName());
        }
        return type.cast(bean);
    }

    private OutboxSetupException unusable(ListableBeanFactory beans, String name, String why) {
        List<String> candidates = candidates(beans);
        return new OutboxSetupException(
                "The property " + property + " names the bean '" + name + "', but " + why + ".",
                candidates.isEmpty()
                        ? "Define a " + type.getSimpleName() + " bean, and set " + property + " to its name."
                        : "Set " + property + " to the name of a " + type.getSimpleName() + " bean: " + list(candidates)
                                + ".",
                null);
    }

    /** The names of all beans that would do, whether or not they are meant for injection. */
    List<String> candidates(ListableBeanFactory beans) {
        return Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false))
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .toList();
    }

    static String list(Collection<String> names) {
        return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }
}
