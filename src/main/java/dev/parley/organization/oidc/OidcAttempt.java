package dev.parley.organization.oidc;

import com.fasterxml.jackson.core.JacksonException;
import dev.parley.db.AeadCipher;
import dev.parley.http.StrictJson;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * A sign-in on its way. It lives, sealed, in a cookie of the browser that began it: no other browser can end it, and
 * the service keeps nothing of those that never come back.
 *
 * @param state comes back in the provider's redirect, which so cannot be one that somebody else began
 * @param nonce comes back in the ID token, which so cannot be one of another sign-in
 * @param verifier of PKCE: whoever only saw the code cannot use it
 * @param returnTo path of this site to go to afterwards
 * @param expires in seconds since 1970
 */
record OidcAttempt(String state, String nonce, String verifier, String returnTo, long expires) {
    static final Duration LIFE = Duration.ofMinutes(10);
    private static final String ABOUT = "sign-in attempt";
    private static final int LONGEST_SEALED = 4096;
    private static final SecureRandom RANDOM = new SecureRandom();

    static OidcAttempt begin(String returnTo, Instant now) {
        return new OidcAttempt(
                random(), random(), random(), returnTo, now.plus(LIFE).getEpochSecond());
    }

    boolean hasEnded(Instant now) {
        return now.getEpochSecond() >= expires;
    }

    /** What the provider checks the verifier by: its SHA-256. */
    String challenge() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return base64(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    String sealed(AeadCipher seal) {
        return base64(seal.seal(StrictJson.write(this), ABOUT));
    }

    /** Empty when it is not one that we sealed. */
    static Optional<OidcAttempt> open(String cookie, AeadCipher seal) {
        if (cookie.isEmpty() || cookie.length() > LONGEST_SEALED) {
            return Optional.empty();
        }
        try {
            String json = seal.open(Base64.getUrlDecoder().decode(cookie), ABOUT);
            return Optional.of(StrictJson.mapper().readValue(json, OidcAttempt.class));
        } catch (IllegalArgumentException | IllegalStateException | JacksonException notOurs) {
            return Optional.empty();
        }
    }

    /** Without its secrets. */
    @Override
    public String toString() {
        return "Attempt[" + returnTo + "]";
    }

    private static String random() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return base64(bytes);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
