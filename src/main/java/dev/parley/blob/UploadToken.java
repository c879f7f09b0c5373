package dev.parley.blob;

import dev.parley.db.HmacHasher;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * A grant as the last path segment of an upload URL of the embedded store: its fields, and their HMAC under a key of
 * the service.
 */
final class UploadToken {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int MAX_LENGTH = 4_096;

    private final HmacHasher hasher;

    UploadToken(HmacHasher hasher) {
        this.hasher = hasher;
    }

    String sign(UploadGrant grant) {
        String claims = String.join(
                "\n",
                grant.key().text(),
                grant.contentType(),
                grant.size() == null ? "" : grant.size().toString(),
                Long.toString(grant.maxBytes()),
                Long.toString(grant.expires().toEpochMilli()));
        return BASE64.encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + '.'
                + BASE64.encodeToString(hasher.hash(claims));
    }

    /** The grant of a token that this service signed, even if it has expired. */
    Optional<UploadGrant> read(String token) {
        String[] parts = token.split("\\.", -1);
        if (token.length() > MAX_LENGTH || parts.length != 2) {
            return Optional.empty();
        }
        try {
            String claims = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
            // Compares the texts, not the bytes: base64 has several encodings of the same bytes.
            String expected = BASE64.encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                    + '.'
                    + BASE64.encodeToString(hasher.hash(claims));
            if (!MessageDigest.isEqual(
                    expected.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8))) {
                return Optional.empty();
            }
            String[] fields = claims.split("\n", -1);
            return Optional.of(new UploadGrant(
                    new BlobKey(fields[0]),
                    fields[1],
                    fields[2].isEmpty() ? null : Long.valueOf(fields[2]),
                    Long.parseLong(fields[3]),
                    Instant.ofEpochMilli(Long.parseLong(fields[4]))));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
