package dev.outbox;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.Ordered;

/** One package per step, each closed but for what others really need. */
class LayoutTests {

    private static final JavaClasses OUTBOX = new ClassFileImporter()
            .importUrl(OutboxWriter.class.getProtectionDomain().getCodeSource().getLocation());

    /** What is public outside of the package for users, and why. */
    private static final Set<String> PUBLIC = Set.of(
            // for users too
            "dev.outbox.consumer.IdempotentConsumer",
            "dev.outbox.consumer.IdempotentConsumer$Handler",
            "dev.outbox.consumer.InvalidEventIdException",
            "dev.outbox.schema.OutboxSchemaException",
            // what the steps share
            "dev.outbox.schema.OutboxDatabase",
            "dev.outbox.schema.OutboxTransactions",
            "dev.outbox.transaction.CallerTransaction",
            "dev.outbox.headers.HeadersJson",
            "dev.outbox.headers.HeadersJson$StoredHeader",
            "dev.outbox.kafka.RelayKafka",
            "dev.outbox.kafka.RelayProducer",
            "dev.outbox.kafka.BrokerProbe",
            "dev.outbox.kafka.FailureKind",
            "dev.outbox.kafka.TopicName");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.(outbox.*)..").should().beFreeOfCycles().check(OUTBOX);
        noClasses()
                .that()
                .resideInAPackage("dev.outbox")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.outbox.*..")
                .because("the steps depend on the API")
                .check(OUTBOX);
    }

    @Test
    void onlyWhatOthersNeedIsPublic() {
        Set<String> found = OUTBOX.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !type.getPackageName().equals("dev.outbox"))
                .filter(type -> !type.isAnnotatedWith(AutoConfiguration.class))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
        assertThat(found).isEqualTo(PUBLIC);
    }

    @Test
    void autoConfigurationsShowNothing() {
        classes()
                .that()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .bePublic()
                .andShould()
                .haveModifier(JavaModifier.FINAL)
                .andShould()
                .haveSimpleNameEndingWith("AutoConfiguration")
                .check(OUTBOX);
        methods()
                .that()
                .areDeclaredInClassesThat()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .notBePublic()
                .check(OUTBOX);
        constructors()
                .that()
                .areDeclaredInClassesThat()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .notBePublic()
                .check(OUTBOX);
        fields().that()
                .areDeclaredInClassesThat()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .notBePublic()
                .check(OUTBOX);
        classes()
                .that(simpleNameEndingWith("AutoConfiguration"))
                .should()
                .beAnnotatedWith(AutoConfiguration.class)
                .check(OUTBOX);
    }

    /** Otherwise those of others that they come after would be brought forward, and beans decided in another order. */
    @Test
    void autoConfigurationsComeLast() {
        assertThat(OUTBOX.stream().filter(type -> type.isAnnotatedWith(AutoConfiguration.class)))
                .isNotEmpty()
                .allMatch(type -> type.isAnnotatedWith(AutoConfigureOrder.class)
                        && type.getAnnotationOfType(AutoConfigureOrder.class).value() == Ordered.LOWEST_PRECEDENCE);
    }

    @Test
    void theApiIsFreeOfSpring() {
        noClasses()
                .that()
                .resideInAPackage("dev.outbox")
                .and(new DescribedPredicate<JavaClass>("are no configuration properties and no qualifier") {
                    @Override
                    public boolean test(JavaClass type) {
                        return !type.getName().startsWith(OutboxProperties.class.getName())
                                && !type.isEquivalentTo(OutboxDataSource.class);
                    }
                })
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "org.apache..", "tools.jackson..", "io.micrometer..")
                .check(OUTBOX);
        assertThat(OutboxProperties.class).hasAnnotation(ConfigurationProperties.class);
    }

    @Test
    void whatAnApplicationMayNotHaveIsTouchedInOnePlaceOnly() {
        onlyHere(
                "org.flywaydb..",
                "dev.outbox.schema.FlywayMigration",
                "dev.outbox.schema.OutboxSchemaAutoConfiguration");
        onlyHere("org.springframework.orm..", "dev.outbox.schema.ManagedDataSource");
        onlyHere(
                "tools.jackson..",
                "dev.outbox.writer.JacksonPayloadSerializer",
                "dev.outbox.writer.OutboxWriterAutoConfiguration");
        onlyHere("com.fasterxml.jackson..");
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.outbox.metrics")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .check(OUTBOX);
    }

    private static void onlyHere(String library, String... types) {
        Set<String> allowed = Set.of(types);
        noClasses()
                .that(new DescribedPredicate<JavaClass>("are not among " + allowed) {
                    @Override
                    public boolean test(JavaClass type) {
                        return !allowed.contains(type.getName().replaceFirst("\\$.*", ""));
                    }
                })
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(OUTBOX);
    }

    @Test
    void theLibraryDoesNotDependOnItsTests() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.outbox.testservers..",
                        "dev.outbox.test..",
                        "org.testcontainers..",
                        "io.zonky..",
                        "org.junit..",
                        "org.assertj..",
                        "org.awaitility..")
                .check(OUTBOX);
    }

    @Test
    void aConstructorHasAtMostFiveParameters() {
        constructors()
                .that()
                .areDeclaredInClassesThat()
                .doNotBelongToAnyOf(Enum.class)
                .and()
                .areDeclaredInClassesThat()
                .areNotRecords()
                .should(new ArchCondition<JavaConstructor>("have at most five parameters") {
                    @Override
                    public void check(JavaConstructor constructor, ConditionEvents events) {
                        int parameters = constructor.getRawParameterTypes().size();
                        events.add(new SimpleConditionEvent(
                                constructor, parameters <= 5, constructor.getFullName() + " has " + parameters));
                    }
                })
                .check(OUTBOX);
    }

    @Test
    void eachPackageSaysWhatItIsForAndThatNothingIsNull() throws Exception {
        Set<String> packages = OUTBOX.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
        for (String name : packages) {
            assertThat(Class.forName(name + ".package-info")).as(name).hasAnnotation(NullMarked.class);
        }
    }
}
