package dev.parley.organization.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** Tokens of sessions and invitations: 256 random bits as 43 characters that are valid in URLs and cookies. */
public final class RandomTokens {
    public static final int LENGTH = 43;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomTokens() {}

    public static String next() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Compares texts in constant time. */
    public static boolean isEqual(String expected, String actual) {
        return MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.UTF_8), actual.getBytes(StandardCharsets.UTF_8));
    }
}
