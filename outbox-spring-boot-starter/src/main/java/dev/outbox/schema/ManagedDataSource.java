package dev.outbox.schema;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/** The DataSource whose transactions a manager begins, as far as the manager tells. */
final class ManagedDataSource {

    private static final boolean JPA = ClassUtils.isPresent(
            "org.springframework.orm.jpa.JpaTransactionManager", ManagedDataSource.class.getClassLoader());

    private ManagedDataSource() {}

    static @Nullable DataSource of(PlatformTransactionManager manager) {
        Object managed = null;
        if (JPA && Jpa.manages(manager)) {
            managed = Jpa.dataSource(manager);
        } else if (manager instanceof ResourceTransactionManager resource) {
            managed = resource.getResourceFactory();
        }
        return managed instanceof DataSource dataSource ? unwrapped(dataSource) : null;
    }

    /** Spring's managers bind the connection to what such a proxy stands for. */
    static DataSource unwrapped(DataSource dataSource) {
        DataSource unwrapped = dataSource;
        while (unwrapped instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            unwrapped = proxy.getTargetDataSource();
        }
        return unwrapped;
    }

    /** Whether one may be a wrapper of the other; a proxy of another kind than Spring's is not seen through. */
    static boolean related(DataSource one, DataSource other) {
        return innermost(one) == innermost(other);
    }

    private static DataSource innermost(DataSource dataSource) {
        DataSource unwrapped = dataSource;
        while (unwrapped instanceof DelegatingDataSource wrapper && wrapper.getTargetDataSource() != null) {
            unwrapped = wrapper.getTargetDataSource();
        }
        return unwrapped;
    }

    /** Apart, as an application may do without JPA. */
    private static final class Jpa {

        static boolean manages(PlatformTransactionManager manager) {
            return manager instanceof JpaTransactionManager;
        }

        static @Nullable DataSource dataSource(PlatformTransactionManager manager) {
            return ((JpaTransactionManager) manager).getDataSource();
        }
    }
}
