package dev.outbox.test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts the statements that a service sends to its database; a service is started with this class to have it. */
public final class StatementCounter implements BeanPostProcessor {

    private final List<String> threads = new CopyOnWriteArrayList<>();

    /** Statements executed by this thread since the last reset. */
    public long ofThisThread() {
        String name = Thread.currentThread().getName();
        return threads.stream().filter(name::equals).count();
    }

    /** Statements executed by any thread since the last reset. */
    public long ofAllThreads() {
        return threads.size();
    }

    public void reset() {
        threads.clear();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof DataSource dataSource)) {
            return bean;
        }
        return new DelegatingDataSource(dataSource) {
            @Override
            public Connection getConnection() throws SQLException {
                return counted(Connection.class, super.getConnection());
            }
        };
    }

    private <T> T counted(Class<T> type, T target) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (target instanceof Statement && method.getName().startsWith("execute")) {
                threads.add(Thread.currentThread().getName());
            }
            try {
                Object result = method.invoke(target, arguments);
                if (result instanceof PreparedStatement statement && target instanceof Connection) {
                    return counted(PreparedStatement.class, statement);
                }
                if (result instanceof Statement statement && target instanceof Connection) {
                    return counted(Statement.class, statement);
                }
                return result;
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
