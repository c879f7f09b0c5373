package dev.parley.organization.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Checks ID tokens (OpenID Connect Core 3.1.3.7): signed with RS256 or ES256 by a key that the provider publishes, of
 * the issuer, for this client, of this sign-in, and not expired. The token chooses neither the kind of key nor the key.
 */
final class IdToken {
    static final int LONGEST = 16 * 1024;
    private static final Duration SKEW = Duration.ofMinutes(1);
    private static final int LEAST_RSA_BITS = 2048;
    private static final int MOST_KEYS = 20;

    private final String issuer;
    private final String clientId;
    private final CachedDocument<JWKSet> keys;
    private final Clock clock;

    IdToken(String issuer, String clientId, CachedDocument<JWKSet> keys, Clock clock) {
        this.issuer = issuer;
        this.clientId = clientId;
        this.keys = keys;
        this.clock = clock;
    }

    /** Who the token is of, or {@link OidcRejection}. */
    OidcIdentity check(String token, String nonce) {
        if (token.isEmpty() || token.length() > LONGEST) {
            throw OidcRejection.notTrusted("The provider gave no ID token of a usable length.");
        }
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            if (!isSigned(jwt, keys.get()) && !isSigned(jwt, keys.newest())) {
                throw OidcRejection.notTrusted("The ID token is not signed by a key of the provider.");
            }
            check(jwt, nonce);
            return OidcIdentity.of(jwt.getJWTClaimsSet());
        } catch (ParseException | JOSEException | IllegalArgumentException malformed) {
            throw new OidcRejection(
                    OidcRejection.OidcRejectionReason.NOT_TRUSTED, "The ID token cannot be read.", malformed);
        }
    }

    private void check(SignedJWT jwt, String nonce) throws ParseException {
        JWTClaimsSet claims = jwt.getJWTClaimsSet();
        Instant now = clock.instant();
        long early = now.minus(SKEW).getEpochSecond();
        long late = now.plus(SKEW).getEpochSecond();
        require(issuer.equals(claims.getIssuer()), "is of another issuer");
        require(claims.getAudience().contains(clientId), "is for another client");
        String party = claims.getStringClaim("azp");
        require(party == null ? claims.getAudience().size() == 1 : party.equals(clientId), "is for several clients");
        require(seconds(jwt, "exp", 0) > early, "has expired");
        require(seconds(jwt, "iat", Long.MAX_VALUE) <= late, "is from the future");
        require(seconds(jwt, "nbf", 0) <= late, "is not valid yet");
        require(nonce.equals(claims.getStringClaim("nonce")), "is of another sign-in");
    }

    /** A time in seconds since 1970. */
    private static long seconds(SignedJWT jwt, String claim, long without) {
        Map<String, Object> payload = jwt.getPayload().toJSONObject();
        return payload != null && payload.get(claim) instanceof Number time ? time.longValue() : without;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw OidcRejection.notTrusted("The ID token " + otherwise + ".");
        }
    }

    private static boolean isSigned(SignedJWT jwt, JWKSet published) throws JOSEException {
        int tried = 0;
        for (JWK key : published.getKeys()) {
            Optional<JWSVerifier> verifier = verifier(key, jwt.getHeader());
            if (verifier.isPresent() && tried++ < MOST_KEYS && jwt.verify(verifier.get())) {
                return true;
            }
        }
        return false;
    }

    /** What checks signatures such as the header says, when the key is for them. */
    private static Optional<JWSVerifier> verifier(JWK key, JWSHeader header) throws JOSEException {
        boolean meant = (header.getKeyID() == null || header.getKeyID().equals(key.getKeyID()))
                && (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
                && (key.getAlgorithm() == null || key.getAlgorithm().equals(header.getAlgorithm()));
        if (!meant) {
            return Optional.empty();
        }
        if (header.getAlgorithm().equals(JWSAlgorithm.RS256) && key instanceof RSAKey rsa) {
            return rsa.size() < LEAST_RSA_BITS
                    ? Optional.empty()
                    : Optional.of(new RSASSAVerifier(rsa.toRSAPublicKey()));
        }
        if (header.getAlgorithm().equals(JWSAlgorithm.ES256)
                && key instanceof ECKey ec
                && ec.getCurve().equals(Curve.P_256)) {
            return Optional.of(new ECDSAVerifier(ec.toECPublicKey()));
        }
        return Optional.empty();
    }
}
