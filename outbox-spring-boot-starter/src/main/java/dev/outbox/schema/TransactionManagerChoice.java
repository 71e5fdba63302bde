package dev.outbox.schema;

import dev.outbox.OutboxSetupException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Finds a transaction manager of the outbox's DataSource: the one that the property names, else among those that are
 * known to manage it the primary or the first one, else the application's only one if it does not tell what it
 * manages.
 */
final class TransactionManagerChoice {

    static final NamedBean<PlatformTransactionManager> NAMED =
            new NamedBean<>("outbox.transaction-manager", PlatformTransactionManager.class);

    private final ListableBeanFactory beans;
    private final ObjectProvider<PlatformTransactionManager> unqualified;
    private final DataSource dataSource;

    /**
     * Chooses among the beans of an application.
     *
     * @param unqualified those that an injection point without a qualifier would get
     */
    TransactionManagerChoice(
            ListableBeanFactory beans, ObjectProvider<PlatformTransactionManager> unqualified, DataSource dataSource) {
        this.beans = beans;
        this.unqualified = unqualified;
        this.dataSource = ManagedDataSource.unwrapped(dataSource);
    }

    /** The manager, null if there is none, or an exception if the named one cannot be it. */
    @Nullable
    PlatformTransactionManager choose(@Nullable String name) {
        if (name != null) {
            return named(name);
        }
        PlatformTransactionManager usual = unqualified.getIfUnique();
        if (usual != null && ManagedDataSource.of(usual) == dataSource) {
            return usual;
        }
        for (PlatformTransactionManager manager : all()) {
            if (ManagedDataSource.of(manager) == dataSource) {
                return manager;
            }
        }
        return usual != null && ManagedDataSource.of(usual) == null ? usual : null;
    }

    private PlatformTransactionManager named(String name) {
        PlatformTransactionManager manager = NAMED.get(beans, name);
        DataSource managed = ManagedDataSource.of(manager);
        if (managed != null && !ManagedDataSource.related(managed, dataSource)) {
            throw new OutboxSetupException(
                    "The property outbox.transaction-manager names the bean '" + name
                            + "', but its transactions are on another DataSource than the outbox.",
                    "Set outbox.transaction-manager to a manager of the outbox's DataSource, or outbox.data-source to"
                            + " the DataSource of this manager.",
                    null);
        }
        return manager;
    }

    /** Also those that are injected only where they are asked for. */
    private List<PlatformTransactionManager> all() {
        return NAMED.candidates(beans).stream()
                .map(name -> beans.getBean(name, PlatformTransactionManager.class))
                .toList();
    }
}
