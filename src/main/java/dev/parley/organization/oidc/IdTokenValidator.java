package dev.parley.organization.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.parley.http.core.SingleLineText;
import java.text.ParseException;
import java.time.Clock;
import java.util.Date;
import java.util.List;
import java.util.Set;

/**
 * Validates ID tokens (OpenID Connect Core 3.1.3.7) with Nimbus: signed with RS256 or ES256 by a published key of that
 * type, from the issuer, for this client and this sign-in, and not expired.
 */
final class IdTokenValidator {
    private static final int MAX_TOKEN_LENGTH = 16 * 1024;
    private static final int MAX_CLOCK_SKEW_SECONDS = 60;
    private static final int MIN_RSA_KEY_BITS = 2048;
    private static final int MAX_CANDIDATE_KEYS = 20;
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256);

    private final CachedDocument<JWKSet> keys;
    private final ClaimsVerifier claimsVerifier;

    IdTokenValidator(String issuer, String clientId, CachedDocument<JWKSet> keys, Clock clock) {
        this.keys = keys;
        this.claimsVerifier = new ClaimsVerifier(issuer, clientId, clock);
    }

    /** Returns the user of a valid token; otherwise throws {@link OidcRejection}. */
    OidcIdentity validate(String token, String nonce) {
        if (token.isEmpty() || token.length() > MAX_TOKEN_LENGTH) {
            throw OidcRejection.notTrusted("The provider returned no ID token of a usable length.");
        }
        try {
            JWTClaimsSet claims = verify(SignedJWT.parse(token));
            if (!nonce.equals(claims.getStringClaim("nonce"))) {
                throw OidcRejection.notTrusted("The ID token belongs to another sign-in.");
            }
            return OidcIdentity.of(claims);
        } catch (BadJOSEException invalid) {
            throw OidcRejection.notTrusted(
                    "The ID token is invalid: " + SingleLineText.of(String.valueOf(invalid.getMessage())), invalid);
        } catch (ParseException | JOSEException | IllegalArgumentException malformed) {
            throw OidcRejection.notTrusted("The ID token cannot be read.", malformed);
        }
    }

    /** Fetches the keys again if none of the cached ones signed the token: the provider may have rotated them. */
    private JWTClaimsSet verify(SignedJWT token) throws BadJOSEException, JOSEException {
        try {
            return verify(token, keys.get());
        } catch (BadJWTException invalidClaims) {
            throw invalidClaims;
        } catch (BadJOSEException notSigned) {
            return verify(token, keys.refresh());
        }
    }

    private JWTClaimsSet verify(SignedJWT token, JWKSet published) throws BadJOSEException, JOSEException {
        var processor = new DefaultJWTProcessor<>();
        processor.setJWSKeySelector(
                new JWSVerificationKeySelector<>(ALGORITHMS, (selector, _) -> candidates(selector, published)));
        processor.setJWTClaimsSetVerifier(claimsVerifier);
        return processor.process(token, null);
    }

    private static List<JWK> candidates(JWKSelector selector, JWKSet published) {
        return selector.select(published).stream()
                .filter(key -> !(key instanceof RSAKey) || key.size() >= MIN_RSA_KEY_BITS)
                .limit(MAX_CANDIDATE_KEYS)
                .toList();
    }

    /** Adds what OpenID Connect requires of an ID token to Nimbus' checks, and reads the time from the clock. */
    private static final class ClaimsVerifier extends DefaultJWTClaimsVerifier<SecurityContext> {
        private final String clientId;
        private final Clock clock;

        ClaimsVerifier(String issuer, String clientId, Clock clock) {
            super(clientId, new JWTClaimsSet.Builder().issuer(issuer).build(), Set.of("exp", "iat"));
            setMaxClockSkew(MAX_CLOCK_SKEW_SECONDS);
            this.clientId = clientId;
            this.clock = clock;
        }

        @Override
        public void verify(JWTClaimsSet claims, SecurityContext context) throws BadJWTException {
            super.verify(claims, context);
            Object authorizedParty = claims.getClaim("azp");
            if (authorizedParty == null ? claims.getAudience().size() > 1 : !authorizedParty.equals(clientId)) {
                throw new BadJWTException("JWT authorized party is not this client");
            }
            if (claims.getIssueTime().toInstant().isAfter(clock.instant().plusSeconds(MAX_CLOCK_SKEW_SECONDS))) {
                throw new BadJWTException("JWT issued in the future");
            }
        }

        @Override
        protected Date currentTime() {
            return Date.from(clock.instant());
        }
    }
}
