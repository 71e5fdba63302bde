package dev.outbox.transaction;

import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/** Under which DataSources a transaction manager may have bound its connection, when the outbox has this one. */
final class ResourceKeys {

    private ResourceKeys() {}

    /**
     * The DataSource and those behind it: a manager may have been given the target of a proxy, and binds that of a
     * TransactionAwareDataSourceProxy itself. But a lazy proxy has connections of its own.
     */
    static List<DataSource> of(DataSource dataSource) {
        List<DataSource> keys = new ArrayList<>();
        DataSource key = dataSource;
        while (key != null) {
            keys.add(key);
            key = key instanceof DelegatingDataSource proxy && !(key instanceof LazyConnectionDataSourceProxy)
                    ? proxy.getTargetDataSource()
                    : null;
        }
        return keys;
    }
}
