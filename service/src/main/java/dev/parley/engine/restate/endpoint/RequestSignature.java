package dev.parley.engine.restate.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.http.json.StrictJson;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Checks that Restate signed a request: a JWT over path and time, by Ed25519, with one known key. */
final class RequestSignature {
    private static final String KEY_PREFIX = "publickeyv1_";
    private static final String ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final int KEY_BYTES = 32;
    private static final long SKEW_SECONDS = 30;

    /** The start of an Ed25519 key in X.509 form; the 32 bytes of the key follow. */
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private final String keyId;
    private final PublicKey key;
    private final Clock clock;

    /** @param keyId the key as Restate prints it: {@code publickeyv1_} and base 58 */
    RequestSignature(String keyId, Clock clock) {
        this.keyId = keyId;
        this.key = key(keyId);
        this.clock = clock;
    }

    private static PublicKey key(String id) {
        if (!id.startsWith(KEY_PREFIX)) {
            throw new IllegalArgumentException("the key must start with " + KEY_PREFIX);
        }
        BigInteger number = BigInteger.ZERO;
        for (char c : id.substring(KEY_PREFIX.length()).toCharArray()) {
            int digit = ALPHABET.indexOf(c);
            if (digit < 0) {
                throw new IllegalArgumentException("the key is not base 58");
            }
            number = number.multiply(BigInteger.valueOf(58)).add(BigInteger.valueOf(digit));
        }
        byte[] digits = number.toByteArray();
        byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + KEY_BYTES);
        int length = Math.min(digits.length, KEY_BYTES);
        System.arraycopy(digits, digits.length - length, encoded, encoded.length - length, length);
        try {
            return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the key is not an Ed25519 key", e);
        }
    }

    boolean isValid(HttpServerRequest request) {
        return "v1".equals(request.getHeader("x-restate-signature-scheme"))
                && isValid(request.getHeader("x-restate-jwt-v1"), request.path());
    }

    boolean isValid(@Nullable String token, String path) {
        String[] parts = token == null ? new String[0] : token.split("\\.", -1);
        if (parts.length != 3) {
            return false;
        }
        try {
            Base64.Decoder decoder = Base64.getUrlDecoder();
            JsonNode header = StrictJson.mapper().readTree(decoder.decode(parts[0]));
            JsonNode claims = StrictJson.mapper().readTree(decoder.decode(parts[1]));
            long now = clock.instant().getEpochSecond();
            return header.path("alg").asText().equals("EdDSA")
                    && header.path("kid").asText().equals(keyId)
                    && claims.path("nbf").asLong(Long.MAX_VALUE) <= now + SKEW_SECONDS
                    && claims.path("exp").asLong(0) >= now - SKEW_SECONDS
                    && claims.path("aud").asText().equals(path)
                    && isSigned(parts[0] + "." + parts[1], decoder.decode(parts[2]));
        } catch (IOException | IllegalArgumentException | GeneralSecurityException _) {
            return false;
        }
    }

    private boolean isSigned(String text, byte[] signature) throws GeneralSecurityException {
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(key);
        verifier.update(text.getBytes(StandardCharsets.US_ASCII));
        return verifier.verify(signature);
    }
}
