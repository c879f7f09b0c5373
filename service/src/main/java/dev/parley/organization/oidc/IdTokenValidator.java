package dev.parley.organization.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.parley.http.core.SingleLineText;
import java.text.ParseException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validates ID tokens (OpenID Connect Core 3.1.3.7). Nimbus verifies that the provider signed the token with a published
 * RSA or EC key; the claims must name the issuer, this client and this sign-in, and must be valid at the clock's time.
 */
final class IdTokenValidator {
    /** Tokens that list a user's groups and roles are long. */
    private static final int MAX_TOKEN_LENGTH = 100_000;

    private static final int MAX_CLOCK_SKEW_SECONDS = 60;

    /** A provider's clock may be ahead: the nonce ties the token to this sign-in anyway. */
    private static final int MAX_CLOCK_LEAD_SECONDS = 300;

    private static final int MIN_RSA_KEY_BITS = 2048;
    private static final int MAX_CANDIDATE_KEYS = 20;
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    /** Google's tokens may name their issuer without a scheme. */
    private static final String GOOGLE = "https://accounts.google.com";

    private final String clientId;
    private final CachedDocument<JWKSet> keys;
    private final Clock clock;

    IdTokenValidator(String clientId, CachedDocument<JWKSet> keys, Clock clock) {
        this.clientId = clientId;
        this.keys = keys;
        this.clock = clock;
    }

    /** Returns the claims of a valid ID token; otherwise throws {@link OidcRejection}. */
    Map<String, Object> validate(String token, String issuer, String nonce) {
        JWTClaimsSet claims = verified(token, issuer);
        try {
            validate(claims, nonce);
        } catch (ParseException malformed) {
            throw OidcRejection.notTrusted("The ID token cannot be read.", malformed);
        }
        return claims.toJSONObject();
    }

    /** Returns the claims of a signed response of the userinfo endpoint; otherwise throws {@link OidcRejection}. */
    Map<String, Object> validateUserInfo(String token, String issuer) {
        JWTClaimsSet claims = verified(token, issuer);
        require(claims.getAudience().contains(clientId), "is for another client");
        return claims.toJSONObject();
    }

    private JWTClaimsSet verified(String token, String issuer) {
        if (token.isEmpty() || token.length() > MAX_TOKEN_LENGTH) {
            throw OidcRejection.notTrusted("The provider returned no ID token of a usable length.");
        }
        try {
            JWT parsed = JWTParser.parse(token);
            if (!(parsed instanceof SignedJWT signed)
                    || !ALGORITHMS.contains(signed.getHeader().getAlgorithm())) {
                throw OidcRejection.notTrusted(
                        "The provider must sign the ID token with RS256, PS256 or ES256, and must "
                                + "not encrypt it: its algorithm is '"
                                + SingleLineText.of(
                                        String.valueOf(parsed.getHeader().getAlgorithm())) + "'.");
            }
            JWTClaimsSet claims = verifySignature(signed);
            require(isIssuer(issuer, String.valueOf(claims.getIssuer())), "is from another issuer");
            return claims;
        } catch (BadJOSEException invalid) {
            throw OidcRejection.notTrusted(
                    "The ID token is invalid: " + SingleLineText.of(String.valueOf(invalid.getMessage())), invalid);
        } catch (ParseException | JOSEException | IllegalArgumentException malformed) {
            throw OidcRejection.notTrusted("The ID token cannot be read.", malformed);
        }
    }

    private static boolean isIssuer(String issuer, String named) {
        return OidcMetadata.isSameIssuer(issuer, named) || (issuer.equals(GOOGLE) && GOOGLE.equals("https://" + named));
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
        List<JWK> named = selector.select(published);
        return (named.isEmpty() ? unnamed(selector, published) : named)
                .stream()
                        .filter(key -> !(key instanceof RSAKey) || key.size() >= MIN_RSA_KEY_BITS)
                        .limit(MAX_CANDIDATE_KEYS)
                        .toList();
    }

    /** Some providers name the key in their tokens, but not in the published keys. */
    private static List<JWK> unnamed(JWKSelector selector, JWKSet published) {
        JWKMatcher anyName = new JWKMatcher.Builder(selector.getMatcher())
                .keyIDs((Set<String>) null)
                .build();
        return new JWKSelector(anyName)
                .select(published).stream()
                        .filter(key -> key.getKeyID() == null)
                        .toList();
    }

    private void validate(JWTClaimsSet claims, String nonce) throws ParseException {
        long now = clock.instant().getEpochSecond();
        Set<String> audience = Set.copyOf(claims.getAudience());
        require(audience.contains(clientId), "is for another client");
        String authorizedParty = claims.getStringClaim("azp");
        require(
                authorizedParty == null ? audience.size() == 1 : authorizedParty.equals(clientId),
                "is for several clients");
        require(seconds(claims, "exp", 0) > now - MAX_CLOCK_SKEW_SECONDS, "has expired");
        require(seconds(claims, "iat", Long.MAX_VALUE) <= now + MAX_CLOCK_LEAD_SECONDS, "was issued in the future");
        require(seconds(claims, "nbf", 0) <= now + MAX_CLOCK_LEAD_SECONDS, "is not valid yet");
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
