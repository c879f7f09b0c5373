package dev.parley.organization.oidc;

import com.fasterxml.jackson.core.JacksonException;
import dev.parley.db.AeadCipher;
import dev.parley.http.json.StrictJson;
import dev.parley.organization.session.RandomTokens;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * A sign-in in progress, kept encrypted in a cookie of the browser that started it. No other browser can complete it,
 * and the service stores nothing for attempts that are abandoned.
 *
 * @param state repeated in the provider's redirect, which ties the redirect to this attempt
 * @param nonce repeated in the ID token, which ties the token to this attempt
 * @param verifier the PKCE code verifier, without which an intercepted code is useless
 * @param returnTo path of this site to go to afterwards
 * @param expires in seconds since 1970
 */
record OidcAttempt(String state, String nonce, String verifier, String returnTo, long expires) {
    static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final String CIPHER_CONTEXT = "sign-in attempt";
    private static final int MAX_COOKIE_LENGTH = 4096;

    static OidcAttempt start(String returnTo, Instant now) {
        return new OidcAttempt(
                RandomTokens.next(),
                RandomTokens.next(),
                RandomTokens.next(),
                returnTo,
                now.plus(LIFETIME).getEpochSecond());
    }

    boolean isExpired(Instant now) {
        return now.getEpochSecond() >= expires;
    }

    /** The PKCE code challenge: the verifier's SHA-256. */
    String challenge() {
        return base64(DigestUtils.sha256(verifier));
    }

    String toCookie(AeadCipher cipher) {
        return base64(cipher.encrypt(StrictJson.write(this), CIPHER_CONTEXT));
    }

    /** Empty for a cookie that this service did not encrypt. */
    static Optional<OidcAttempt> fromCookie(String cookie, AeadCipher cipher) {
        if (cookie.isEmpty() || cookie.length() > MAX_COOKIE_LENGTH) {
            return Optional.empty();
        }
        try {
            String json = cipher.decrypt(Base64.getUrlDecoder().decode(cookie), CIPHER_CONTEXT);
            return Optional.of(StrictJson.mapper().readValue(json, OidcAttempt.class));
        } catch (IllegalArgumentException | IllegalStateException | JacksonException foreign) {
            return Optional.empty();
        }
    }

    /** Without its secrets. */
    @Override
    public String toString() {
        return "OidcAttempt[" + returnTo + "]";
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
