package com.example.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxWriter;
import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** That these tests see what they are meant to see. */
class VersionsIntegrationTests {

    private static final int CLASS_FILE_OF_JAVA_17 = 61;

    @Test
    void theStarterIsTheArchiveForJava17() throws IOException {
        assertThat(OutboxWriter.class.getProtectionDomain().getCodeSource().getLocation())
                .asString()
                .endsWith(".jar");
        try (DataInputStream classFile =
                new DataInputStream(OutboxWriter.class.getResourceAsStream("OutboxWriter.class"))) {
            assertThat(classFile.readInt()).isEqualTo(0xCAFEBABE);
            classFile.readUnsignedShort();
            assertThat(classFile.readUnsignedShort()).isEqualTo(CLASS_FILE_OF_JAVA_17);
        }
    }

    @Test
    void springBootAndJavaAreThoseOfTheBuild() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.spring-boot"));
        assertThat(Runtime.version().feature()).isEqualTo(Integer.getInteger("expected.java"));
    }
}
