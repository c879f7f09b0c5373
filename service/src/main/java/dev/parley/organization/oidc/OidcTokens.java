package dev.parley.organization.oidc;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the provider returned for an authorization code.
 *
 * @param issuer as the provider writes it
 * @param claims of the valid ID token
 * @param accessToken for the userinfo endpoint; empty if there is none
 * @param isEmailGranted false if the provider says that it did not grant the scope {@code email}
 */
record OidcTokens(String issuer, Map<String, Object> claims, String accessToken, boolean isEmailGranted) {
    private static final Pattern SUBJECT = Pattern.compile("[\\x21-\\x7E][\\x20-\\x7E]{0,254}");

    OidcTokens {
        claims = present(claims);
        if (!SUBJECT.matcher(String.valueOf(claims.getOrDefault("sub", ""))).matches()) {
            throw OidcRejection.notTrusted("The ID token has no usable subject.");
        }
    }

    /** The claims that have a value: providers write missing ones as null or as an empty text, too. */
    static Map<String, Object> present(Map<String, ? extends @Nullable Object> claims) {
        return claims.entrySet().stream()
                .filter(claim -> claim.getValue() != null && !claim.getValue().equals(""))
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, claim -> Objects.requireNonNull(claim.getValue())));
    }

    /** Permanent id of the user at the provider. */
    String subject() {
        return String.valueOf(claims.get("sub"));
    }

    @Override
    public String toString() {
        return "OidcTokens[" + issuer + "]";
    }
}
