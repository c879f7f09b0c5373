package dev.parley.webhook.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A signing key of Standard Webhooks 1.0; its text form is {@code whsec_} and Base64. */
@SuppressWarnings("ArrayRecordComponent") // a key is never compared
public record SigningSecret(byte[] key) {
    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;

    /** The limits of Standard Webhooks. */
    private static final int MIN_BYTES = 24;

    private static final int MAX_BYTES = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    public static SigningSecret generate() {
        byte[] key = new byte[BYTES];
        RANDOM.nextBytes(key);
        return new SigningSecret(key);
    }

    /** Parses the text; empty unless it is {@code whsec_} and 24 to 64 bytes in Base64. */
    public static Optional<SigningSecret> parse(String text) {
        if (!text.startsWith(PREFIX)) {
            return Optional.empty();
        }
        try {
            byte[] key = Base64.getDecoder().decode(text.substring(PREFIX.length()));
            return key.length >= MIN_BYTES && key.length <= MAX_BYTES
                    ? Optional.of(new SigningSecret(key))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** The text form; only for users who may see the secret. */
    public String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key);
    }

    @Override
    public String toString() {
        return "SigningSecret[…]";
    }

    /** The value of {@code webhook-signature}: one signature per secret, any of which verifies it. */
    public static String sign(List<SigningSecret> secrets, String id, long timestamp, byte[] payload) {
        byte[] head = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        return secrets.stream()
                .map(secret -> "v1," + Base64.getEncoder().encodeToString(secret.hash(head, payload)))
                .collect(Collectors.joining(" "));
    }

    private byte[] hash(byte[] head, byte[] payload) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(head);
            return mac.doFinal(payload);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
