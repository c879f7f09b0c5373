package dev.parley.organization.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.parley.http.core.SingleLineText;
import java.text.ParseException;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/**
 * Validates ID tokens (OpenID Connect Core 3.1.3.7). Nimbus verifies that the provider signed the token with RS256 or
 * ES256; the claims must name the issuer, this client and this sign-in, and must be valid at the clock's time.
 */
final class IdTokenValidator {
    private static final int MAX_TOKEN_LENGTH = 16 * 1024;
    private static final int MAX_CLOCK_SKEW_SECONDS = 60;
    private static final int MIN_RSA_KEY_BITS = 2048;
    private static final int MAX_CANDIDATE_KEYS = 20;
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256);

    private final String issuer;
    private final String clientId;
    private final CachedDocument<JWKSet> keys;
    private final Clock clock;

    IdTokenValidator(String issuer, String clientId, CachedDocument<JWKSet> keys, Clock clock) {
        this.issuer = issuer;
        this.clientId = clientId;
        this.keys = keys;
        this.clock = clock;
    }

    /** Returns the user of a valid token; otherwise throws {@link OidcRejection}. */
    OidcIdentity validate(String token, String nonce) {
        if (token.isEmpty() || token.length() > MAX_TOKEN_LENGTH) {
            throw OidcRejection.notTrusted("The provider returned no ID token of a usable length.");
        }
        try {
            JWTClaimsSet claims = verifySignature(SignedJWT.parse(token));
            validate(claims, nonce);
            return OidcIdentity.of(claims);
        } catch (BadJOSEException invalid) {
            throw OidcRejection.notTrusted(
                    "The ID token is invalid: " + SingleLineText.of(String.valueOf(invalid.getMessage())), invalid);
        } catch (ParseException | JOSEException | IllegalArgumentException malformed) {
            throw OidcRejection.notTrusted("The ID token cannot be read.", malformed);
        }
    }

    /** Fetches the keys again if none of the cached ones signed the token: the provider may have rotated them. */
    private JWTClaimsSet verifySignature(SignedJWT token) throws BadJOSEException, JOSEException {
        try {
            return verifySignature(token, keys.get());
        } catch (BadJOSEException notSigned) {
            return verifySignature(token, keys.refresh());
        }
    }

    private static JWTClaimsSet verifySignature(SignedJWT token, JWKSet published)
            throws BadJOSEException, JOSEException {
        var processor = new DefaultJWTProcessor<>();
        processor.setJWSKeySelector(
                new JWSVerificationKeySelector<>(ALGORITHMS, (selector, _) -> candidates(selector, published)));
        // Nimbus' own claims verifier reads the system clock.
        processor.setJWTClaimsSetVerifier(null);
        return processor.process(token, null);
    }

    private static List<JWK> candidates(JWKSelector selector, JWKSet published) {
        return selector.select(published).stream()
                .filter(key -> !(key instanceof RSAKey) || key.size() >= MIN_RSA_KEY_BITS)
                .limit(MAX_CANDIDATE_KEYS)
                .toList();
    }

    private void validate(JWTClaimsSet claims, String nonce) throws ParseException {
        long now = clock.instant().getEpochSecond();
        require(issuer.equals(claims.getIssuer()), "is from another issuer");
        require(claims.getAudience().contains(clientId), "is for another client");
        String authorizedParty = claims.getStringClaim("azp");
        require(
                authorizedParty == null ? claims.getAudience().size() == 1 : authorizedParty.equals(clientId),
                "is for several clients");
        require(seconds(claims, "exp", 0) > now - MAX_CLOCK_SKEW_SECONDS, "has expired");
        require(seconds(claims, "iat", Long.MAX_VALUE) <= now + MAX_CLOCK_SKEW_SECONDS, "was issued in the future");
        require(seconds(claims, "nbf", 0) <= now + MAX_CLOCK_SKEW_SECONDS, "is not valid yet");
        require(nonce.equals(claims.getStringClaim("nonce")), "belongs to another sign-in");
    }

    /** A time in seconds since 1970. */
    private static long seconds(JWTClaimsSet claims, String name, long defaultSeconds) {
        return claims.toJSONObject().get(name) instanceof Number time ? time.longValue() : defaultSeconds;
    }

    private static void require(boolean isValid, String fault) {
        if (!isValid) {
            throw OidcRejection.notTrusted("The ID token " + fault + ".");
        }
    }
}
