package dev.parley.db;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 under a key of {@link MasterKey}: the form in which keys and tokens are stored. Access to the database
 * reveals none, and does not allow testing guesses.
 */
public final class HmacHasher {
    private static final String ALGORITHM = "HmacSHA256";

    /** Never used itself: a clone with the key already set up costs half of a new instance. */
    private final Mac prototype;

    HmacHasher(byte[] key) {
        try {
            this.prototype = Mac.getInstance(ALGORITHM);
            prototype.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns 32 bytes; thread-safe. */
    public byte[] hash(String text) {
        try {
            return ((Mac) prototype.clone()).doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }
}
