package dev.outbox.schema;

import static java.util.Objects.requireNonNullElseGet;

import dev.outbox.OutboxSetupException;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/** Finds the outbox's DataSource: the one that the property names, else the marked, the primary, or the only one. */
final class DataSourceChoice {

    static final NamedBean<DataSource> NAMED = new NamedBean<>("outbox.data-source", DataSource.class);

    private final ListableBeanFactory beans;
    private final ObjectProvider<DataSource> marked;
    private final ObjectProvider<DataSource> unmarked;

    /**
     * Chooses among the beans of an application.
     *
     * @param marked those with the qualifier {@code @OutboxDataSource}
     * @param unmarked those that an injection point without a qualifier would get
     */
    DataSourceChoice(
            ListableBeanFactory beans, ObjectProvider<DataSource> marked, ObjectProvider<DataSource> unmarked) {
        this.beans = beans;
        this.marked = marked;
        this.unmarked = unmarked;
    }

    /** The DataSource, or an exception that names those there are. */
    DataSource choose(@Nullable String name) {
        if (name != null) {
            return NAMED.get(beans, name);
        }
        List<DataSource> all = marked.stream().toList();
        if (all.size() > 1) {
            throw unclear("There is more than one DataSource with @OutboxDataSource", namesOf(all));
        }
        return all.isEmpty() ? unmarked() : all.get(0);
    }

    private DataSource unmarked() {
        try {
            return unmarked.getObject();
        } catch (NoUniqueBeanDefinitionException e) {
            throw unclear(
                    "The application has several DataSources, and none of them is the primary one",
                    requireNonNullElseGet(e.getBeanNamesFound(), () -> NAMED.candidates(beans)));
        } catch (NoSuchBeanDefinitionException e) {
            throw unclear(
                    "No DataSource is there for the outbox without being asked for by name", NAMED.candidates(beans));
        }
    }

    private List<String> namesOf(List<DataSource> dataSources) {
        return NAMED.candidates(beans).stream()
                .filter(name -> dataSources.contains(beans.getBean(name, DataSource.class)))
                .toList();
    }

    /** Without the failure beneath: Boot would explain that one instead, and speak of a bean of ours. */
    private static OutboxSetupException unclear(String problem, Collection<String> names) {
        return new OutboxSetupException(
                problem + ": " + NamedBean.list(names) + ".",
                "Set outbox.data-source to the name of the one whose transactions carry the messages, or mark its bean"
                        + " with @OutboxDataSource.",
                null);
    }
}
