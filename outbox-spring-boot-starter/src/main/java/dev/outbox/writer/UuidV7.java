package dev.outbox.writer;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.UUID;

/**
 * Time-ordered UUIDs, version 7 of RFC 9562: milliseconds, a 12 bit fraction of the millisecond, 62
 * random bits. The unique index on them grows at one end, which makes an insert as cheap as without
 * the index.
 */
final class UuidV7 {

    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final SecureRandom random = new SecureRandom();
    private final Clock clock;

    UuidV7(Clock clock) {
        this.clock = clock;
    }

    UUID next() {
        Instant now = clock.instant();
        long fraction = ((long) (now.get(ChronoField.NANO_OF_SECOND) % NANOS_PER_MILLI) << 12) / NANOS_PER_MILLI;
        long high = now.toEpochMilli() << 16 | VERSION | fraction;
        long low = random.nextLong() >>> 2 | VARIANT;
        return new UUID(high, low);
    }
}
