package dev.parley.db;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;

/** Text with an HMAC under a key of the service, as one segment of a URL. */
public final class SignedText {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int MAX_LENGTH = 4_096;

    private final HmacHasher hasher;

    public SignedText(HmacHasher hasher) {
        this.hasher = hasher;
    }

    public String sign(String text) {
        return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8))
                + '.'
                + BASE64.encodeToString(hasher.hash(text));
    }

    /** The text of a token that this service signed. */
    public Optional<String> read(String token) {
        int dot = token.indexOf('.');
        if (token.length() > MAX_LENGTH || dot < 0) {
            return Optional.empty();
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(token.substring(0, dot)), StandardCharsets.UTF_8);
            // Compares the tokens, not the bytes: base64 has several encodings of the same bytes.
            boolean isSigned = MessageDigest.isEqual(
                    sign(text).getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
            return isSigned ? Optional.of(text) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
