package dev.parley.apikey;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32;

/**
 * The format of a key: {@code sk-}, 37 random characters of base62 (220 bits), and six characters with the CRC-32 of
 * the rest, so that a mistyped key is rejected without a lookup.
 */
final class ApiKeyFormat {
    static final String PREFIX = "sk-";
    static final int LENGTH = 46;
    private static final int CHECKSUM = 6;
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final SecureRandom RANDOM = new SecureRandom();

    private ApiKeyFormat() {}

    static String generate() {
        var key = new StringBuilder(PREFIX);
        while (key.length() < LENGTH - CHECKSUM) {
            key.append(DIGITS.charAt(RANDOM.nextInt(DIGITS.length())));
        }
        return key.append(checksum(key.toString())).toString();
    }

    /** Whether the text has the format of a key. */
    static boolean isWellFormed(String key) {
        if (key.length() != LENGTH || !key.startsWith(PREFIX)) {
            return false;
        }
        for (int i = PREFIX.length(); i < LENGTH; i++) {
            char c = key.charAt(i);
            if ((c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')) {
                return false;
            }
        }
        int end = LENGTH - CHECKSUM;
        return key.regionMatches(end, checksum(key.substring(0, end)), 0, CHECKSUM);
    }

    private static String checksum(String text) {
        var crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        long value = crc.getValue();
        char[] digits = new char[CHECKSUM];
        for (int i = CHECKSUM - 1; i >= 0; i--) {
            digits[i] = DIGITS.charAt((int) (value % DIGITS.length()));
            value /= DIGITS.length();
        }
        return new String(digits);
    }
}
