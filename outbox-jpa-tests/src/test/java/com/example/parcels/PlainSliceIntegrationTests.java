package com.example.parcels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jpa.test.autoconfigure.TestEntityManager;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** {@code @DataJpaTest} has the repositories, and neither beans nor tables of the outbox; there is no broker. */
@DataJpaTest
@AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
class PlainSliceIntegrationTests {

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        Servers.database(registry);
    }

    @Test
    void theRepositoryWorks(
            @Autowired ParcelRepository parcels,
            @Autowired TestEntityManager entities,
            @Autowired JdbcClient jdbc,
            @Autowired ApplicationContext context) {
        parcels.save(new Parcel(1));
        entities.flush();
        entities.clear();

        assertThat(parcels.findById(1L))
                .hasValueSatisfying(parcel -> assertThat(parcel.status()).isEqualTo("SENT"));
        assertThat(context.getBeanDefinitionNames()).noneMatch(name -> name.startsWith("outbox"));
        assertThat(jdbc.sql("SELECT to_regclass('outbox_message') IS NULL")
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }
}
