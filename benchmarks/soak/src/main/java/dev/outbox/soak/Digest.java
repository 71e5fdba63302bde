package dev.outbox.soak;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** The first half of a SHA-256: stands for bytes that are too many to keep. */
record Digest(long high, long low) {

    /** Of bytes, or null for a tombstone. */
    static @Nullable Digest of(byte @Nullable [] bytes) {
        try {
            return bytes == null
                    ? null
                    : ofHash(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of a SHA-256 that someone else has made. */
    static @Nullable Digest ofHash(byte @Nullable [] hash) {
        if (hash == null) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(hash);
        return new Digest(buffer.getLong(), buffer.getLong());
    }
}
