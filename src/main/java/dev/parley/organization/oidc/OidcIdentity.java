package dev.parley.organization.oidc;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.parley.http.core.SingleLineText;
import dev.parley.organization.OrganizationResource;
import dev.parley.organization.UserStore;
import java.text.ParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The user, according to a valid ID token.
 *
 * @param subject permanent id of the user at the provider
 * @param email in lower case; empty unless the provider has verified it
 */
record OidcIdentity(String subject, Optional<String> email, String name) {
    private static final Pattern SUBJECT = Pattern.compile("[\\x21-\\x7E][\\x20-\\x7E]{0,254}");

    static OidcIdentity of(JWTClaimsSet claims) throws ParseException {
        String subject = claims.getSubject();
        if (subject == null || !SUBJECT.matcher(subject).matches()) {
            throw OidcRejection.notTrusted("The ID token has no usable subject.");
        }
        Optional<String> email = Optional.ofNullable(claims.getStringClaim("email"))
                .filter(OidcIdentity::isUnambiguous)
                .map(UserStore::normalized)
                .filter(UserStore::isEmail);
        // Some providers write the boolean as a string.
        boolean verified = "true".equals(String.valueOf(claims.getClaim("email_verified")));
        String name = Optional.ofNullable(claims.getStringClaim("name"))
                .map(text -> SingleLineText.of(text).strip())
                .filter(text -> !text.isEmpty())
                .or(() -> email)
                .orElse(subject);
        return new OidcIdentity(subject, verified ? email : Optional.empty(), truncated(name));
    }

    /** Lower case maps some letters to others, such as the Kelvin sign to k, so another mailbox could match. */
    private static boolean isUnambiguous(String email) {
        return email.chars().allMatch(c -> c < 0x80 || Character.toLowerCase(c) == c);
    }

    private static String truncated(String name) {
        int maxLength = OrganizationResource.MAX_NAME_LENGTH;
        return name.codePointCount(0, name.length()) <= maxLength
                ? name
                : name.substring(0, name.offsetByCodePoints(0, maxLength));
    }
}
