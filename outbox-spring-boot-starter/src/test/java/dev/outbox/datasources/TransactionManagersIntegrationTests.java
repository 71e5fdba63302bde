package dev.outbox.datasources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.OutboxDataSource;
import dev.outbox.OutboxSetupException;
import dev.outbox.consumer.IdempotentConsumer;
import dev.outbox.schema.OutboxTransactions;
import dev.outbox.test.TestService;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

/** The transaction manager of the outbox follows its DataSource, unless it is named. */
class TransactionManagersIntegrationTests {

    private final TwoDatabases databases = new TwoDatabases();

    @Test
    void thePropertyDecidesAmongSeveralOfTheDataSource() {
        try (TestService service = orders().with(AnotherOfOrders.class)
                .with("outbox.transaction-manager", "alsoOrdersTransactions")
                .start()) {
            assertThat(chosen(service)).isSameAs(service.context().getBean("alsoOrdersTransactions"));
        }
    }

    @Test
    void thePrimaryOfTheDataSourceIsTakenAmongSeveral() {
        try (TestService service = databases
                .service()
                .with(Databases.MarkedBesidePrimary.class)
                .with("outbox.data-source", "reportsDataSource")
                .with(AnotherOfReports.class)
                .withoutRelay()
                .start()) {
            assertThat(chosen(service)).isSameAs(service.context().getBean("reportsTransactions"));
        }
    }

    @Test
    void aJpaManagerIsThatOfItsDataSource() {
        try (TestService service =
                databases.service().with(JpaOnOrders.class).withoutRelay().start()) {
            assertThat(chosen(service)).isInstanceOf(JpaTransactionManager.class);
            databases.orders().execute("CREATE TABLE handled (id int)");
            EntityManager entities =
                    SharedEntityManagerCreator.createSharedEntityManager(service.bean(EntityManagerFactory.class));
            IdempotentConsumer consumer = service.bean(IdempotentConsumer.class);
            UUID event = UUID.randomUUID();
            for (int delivery = 0; delivery < 2; delivery++) {
                consumer.once(
                        "c",
                        event,
                        () -> entities.createNativeQuery("INSERT INTO handled VALUES (1)")
                                .executeUpdate());
            }
            assertThat(databases
                            .orders()
                            .queryForObject(
                                    "SELECT count(*) FROM handled h JOIN processed_event p ON p.xmin = h.xmin",
                                    Integer.class))
                    .isOne();
        }
    }

    @Test
    void aManagerOfAnotherDataSourceIsNeverTaken() {
        try (TestService service = databases
                .service()
                .with(OrdersWithoutManager.class)
                .withoutRelay()
                .start()) {
            assertThat(service.context().getBeansOfType(PlatformTransactionManager.class))
                    .containsOnlyKeys("transactionManager");
            assertThat(service.bean(OutboxTransactions.class).manager()).isNull();
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> service.bean(IdempotentConsumer.class).once("c", UUID.randomUUID(), () -> {}))
                    .withMessageContaining("no transaction manager for the outbox's DataSource");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "nowhere | names the bean 'nowhere', but there is none of this name | 'ordersTransactions', 'transactionManager'",
                "ordersDataSource | but that is a com.zaxxer.hikari.HikariDataSource, not a PlatformTransactionManager"
                        + " | 'ordersTransactions', 'transactionManager'",
                "transactionManager | but its transactions are on another DataSource than the outbox"
                        + " | a manager of the outbox's DataSource"
            })
    void aNameThatCannotBeItStopsTheStart(String name, String problem, String remedy) {
        assertThatThrownBy(
                        () -> orders().with("outbox.transaction-manager", name).start())
                .isInstanceOf(BeanCreationException.class)
                .rootCause()
                .isInstanceOfSatisfying(OutboxSetupException.class, e -> {
                    assertThat(e.getDescription()).contains("outbox.transaction-manager", problem);
                    assertThat(e.getAction()).contains("Set outbox.transaction-manager to", remedy);
                });
    }

    private TestService.Builder orders() {
        return databases.service().with(Databases.MarkedBesideBoots.class).withoutRelay();
    }

    private static PlatformTransactionManager chosen(TestService service) {
        return service.bean(OutboxTransactions.class).manager();
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherOfOrders {

        @Bean(defaultCandidate = false)
        JdbcTransactionManager alsoOrdersTransactions(@OutboxDataSource DataSource orders) {
            return new JdbcTransactionManager(orders);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherOfReports {

        @Bean
        JdbcTransactionManager alsoReportsTransactions(DataSource reports) {
            return new JdbcTransactionManager(reports);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OrdersWithoutManager {

        @Bean(defaultCandidate = false)
        @OutboxDataSource
        DataSource ordersDataSource(Environment environment) {
            return Databases.pool(environment, "orders");
        }
    }

    /** Beside Boot's manager for the reports. */
    @Configuration(proxyBeanMethods = false)
    static class JpaOnOrders extends OrdersWithoutManager {

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(@OutboxDataSource DataSource orders) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(orders);
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setManagedTypes(PersistenceManagedTypes.of());
            return factory;
        }

        @Bean(defaultCandidate = false)
        JpaTransactionManager ordersTransactions(EntityManagerFactory entityManagerFactory) {
            return new JpaTransactionManager(entityManagerFactory);
        }
    }
}
