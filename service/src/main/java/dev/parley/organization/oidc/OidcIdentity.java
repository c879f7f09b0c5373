package dev.parley.organization.oidc;

import dev.parley.http.core.SingleLineText;
import dev.parley.organization.OrganizationResource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The user, according to the provider.
 *
 * @param subject permanent id of the user at the provider
 * @param email verified, in lower case; empty for a user who is known by the subject
 */
record OidcIdentity(String subject, Optional<String> email, String name) {
    /** A user who is known by the subject: the address does not matter. */
    static OidcIdentity known(OidcTokens tokens) {
        return new OidcIdentity(tokens.subject(), Optional.empty(), tokens.subject());
    }

    static OidcIdentity of(OidcTokens tokens, String email, Map<String, Object> userInfo) {
        String name = Stream.of(tokens.claims(), userInfo)
                .flatMap(claims -> Stream.of(text(claims, "name"), text(claims, "given_name", "family_name")))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(email);
        return new OidcIdentity(tokens.subject(), Optional.of(email), truncated(name));
    }

    /** The claims that are texts, separated by space. */
    private static String text(Map<String, Object> claims, String... names) {
        var text = new StringBuilder();
        for (String name : names) {
            if (claims.get(name) instanceof String part) {
                text.append(SingleLineText.of(part)).append(' ');
            }
        }
        return text.toString().strip();
    }

    private static String truncated(String name) {
        int maxLength = OrganizationResource.MAX_NAME_LENGTH;
        return name.codePointCount(0, name.length()) <= maxLength
                ? name
                : name.substring(0, name.offsetByCodePoints(0, maxLength));
    }
}
