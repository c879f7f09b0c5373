package dev.parley.id;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * UUID version 7: 48 bits of Unix milliseconds, a 12-bit counter within the millisecond, 62 random bits. Ids of one
 * process always increase, even if its clock is set back, so they order rows by creation time.
 */
public final class UuidV7 {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Random bits are fetched for many ids at once; one by one they would dominate the cost of an id. */
    private static final ByteBuffer POOL = ByteBuffer.allocate(512 * Long.BYTES).limit(0);

    private static final ReentrantLock POOL_LOCK = new ReentrantLock();
    private static final int COUNTER_BITS = 12;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

    /** The last timestamp used: milliseconds shifted left by twelve, plus the counter. */
    private static final AtomicLong LAST = new AtomicLong();

    private UuidV7() {}

    /** A new id, greater than all previous ones of this process. */
    public static UUID next() {
        long now = System.currentTimeMillis() << COUNTER_BITS;
        return withStamp(LAST.updateAndGet(last -> Math.max(last + 1, now)));
    }

    /** The smallest timestamp after that of an id, which may come from a node whose clock is ahead. */
    static UUID successor(UUID id) {
        long high = id.getMostSignificantBits();
        return withStamp((high >>> 16 << COUNTER_BITS | (high & 0xFFF)) + 1);
    }

    private static UUID withStamp(long stamp) {
        long millis = stamp >>> COUNTER_BITS;
        long high = (millis << 16) | 0x7000L | (stamp & 0xFFF);
        long low = (random() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    private static long random() {
        POOL_LOCK.lock();
        try {
            if (!POOL.hasRemaining()) {
                RANDOM.nextBytes(POOL.array());
                POOL.clear();
            }
            return POOL.getLong();
        } finally {
            POOL_LOCK.unlock();
        }
    }

    /** An id that is not greater than any id created at this time or later. */
    public static UUID floor(Instant time) {
        return new UUID(time.toEpochMilli() << 16, 0);
    }

    /** The millisecond in which the id was created. */
    public static Instant time(UUID id) {
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
    }

    public static String text(UUID id) {
        byte[] text = new byte[32];
        long high = id.getMostSignificantBits();
        long low = id.getLeastSignificantBits();
        for (int i = 15; i >= 0; i--) {
            text[i] = DIGITS[(int) (high & 0xF)];
            text[i + 16] = DIGITS[(int) (low & 0xF)];
            high >>>= 4;
            low >>>= 4;
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** Reads 32 hex digits, or the hyphenated form of 36 characters; anything else is empty. */
    public static Optional<UUID> parse(String text) {
        String digits = text;
        if (text.length() == 36) {
            if (text.charAt(8) != '-' || text.charAt(13) != '-' || text.charAt(18) != '-' || text.charAt(23) != '-') {
                return Optional.empty();
            }
            digits = text.replace("-", "");
        }
        if (digits.length() != 32 || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            return Optional.empty();
        }
        return Optional.of(
                new UUID(HexFormat.fromHexDigitsToLong(digits, 0, 16), HexFormat.fromHexDigitsToLong(digits, 16, 32)));
    }
}
