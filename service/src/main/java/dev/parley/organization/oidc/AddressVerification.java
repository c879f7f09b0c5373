package dev.parley.organization.oidc;

import dev.parley.mail.MailAddress;
import dev.parley.organization.oidc.OidcRejection.OidcRejectionReason;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which email address of a user the provider vouches for (docs/guides/sign-in.md). A statement that the address
 * is not verified always wins. Without any statement, the address counts only in the domains that the operator trusts
 * this issuer for.
 */
final class AddressVerification {
    private static final String GOOGLE = "https://accounts.google.com";
    private static final List<String> STATEMENTS = List.of("email_verified", "xms_edov");

    private final String issuer;
    private final List<String> trustedDomains;

    AddressVerification(String issuer, List<String> trustedDomains) {
        this.issuer = OidcMetadata.withoutSlash(issuer);
        this.trustedDomains = List.copyOf(trustedDomains);
    }

    /** Whether the ID token alone does not decide. */
    static boolean needsUserInfo(OidcTokens tokens) {
        return !tokens.claims().containsKey("email")
                || statements(tokens.claims()).isEmpty();
    }

    /** Returns the verified address in lower case, or throws {@link OidcRejection}. */
    String verifiedAddress(OidcTokens tokens, Map<String, Object> userInfo) {
        Map<String, Object> idToken = tokens.claims();
        List<Object> emails = Stream.of(idToken, userInfo)
                .filter(claims -> claims.containsKey("email"))
                .map(claims -> (Object) address(claims.get("email")))
                .distinct()
                .toList();
        if (emails.size() > 1) {
            throw notVerified("The ID token and the userinfo endpoint name different addresses.");
        }
        List<Boolean> statements = Stream.of(idToken, userInfo)
                .flatMap(claims -> statements(claims).stream())
                .toList();
        if (statements.contains(false)) {
            throw notVerified("The provider says that the address of the user is not verified.");
        }
        Optional<String> email = Stream.of(idToken, userInfo)
                .flatMap(claims -> address(claims.get("email")).stream())
                .findFirst();
        if (!statements.isEmpty()) {
            return email.filter(address -> isOwnAddress(address, idToken))
                    .orElseThrow(() -> notVerified("The provider has verified no usable address of the user."));
        }
        return (emails.isEmpty() ? userName(idToken, userInfo) : email)
                .filter(address -> maySeeStatement(tokens) && isTrusted(address, idToken))
                .orElseThrow(
                        () -> notVerified("The provider does not say that the address of the user is verified, and "
                                + "PARLEY_OIDC_TRUSTED_DOMAINS does not name its domain (docs/guides/sign-in.md)."));
    }

    /** Providers write booleans also as texts and numbers. A value that is neither is no verification. */
    private static List<Boolean> statements(Map<String, Object> claims) {
        Stream<Boolean> booleans = STATEMENTS.stream()
                .filter(claims::containsKey)
                .map(name -> String.valueOf(claims.get(name)).strip().toLowerCase(Locale.ROOT))
                .map(value -> value.equals("true") || value.equals("1"));
        return Stream.concat(booleans, isListed(claims).stream()).toList();
    }

    /** Whether Entra ID lists the address among those that it has verified; empty without a list. */
    private static Optional<Boolean> isListed(Map<String, Object> claims) {
        List<Optional<String>> verified = Stream.of("verified_primary_email", "verified_secondary_email")
                .flatMap(name -> claims.get(name) instanceof List<?> list
                        ? list.stream().map(AddressVerification::address)
                        : Stream.empty())
                .toList();
        return verified.isEmpty() || !claims.containsKey("email")
                ? Optional.empty()
                : Optional.of(verified.contains(address(claims.get("email"))));
    }

    /**
     * A user who removes the scope 'email' from the request must not hide a statement about the address. AD FS grants
     * only the scope 'openid'; its addresses and user names are those of the directory.
     */
    private boolean maySeeStatement(OidcTokens tokens) {
        return tokens.isEmailGranted() || issuer.endsWith("/adfs");
    }

    /** The name that a user of a directory signs in with, if it is an address. */
    private static Optional<String> userName(Map<String, Object> idToken, Map<String, Object> userInfo) {
        return Stream.of(idToken, userInfo)
                .flatMap(claims ->
                        Stream.of("preferred_username", "upn").flatMap(name -> address(claims.get(name)).stream()))
                .findFirst();
    }

    private static Optional<String> address(@Nullable Object claim) {
        Object single = claim instanceof List<?> list && list.size() == 1 ? list.getFirst() : claim;
        return single instanceof String text ? MailAddress.parse(text).map(MailAddress::normalized) : Optional.empty();
    }

    /** Google verifies an address of a foreign domain once, and does not notice when it changes hands. */
    private boolean isOwnAddress(String address, Map<String, Object> idToken) {
        return !issuer.equals(GOOGLE)
                || List.of("gmail.com", "googlemail.com").contains(domain(address))
                || idToken.containsKey("hd");
    }

    private boolean isTrusted(String address, Map<String, Object> idToken) {
        String domain = domain(address);
        return trustedDomains.contains(domain)
                && !isGuest(idToken)
                && (!issuer.equals(GOOGLE)
                        || domain.equals(String.valueOf(idToken.get("hd")).toLowerCase(Locale.ROOT)));
    }

    /** Whether Entra ID says that the user belongs to another tenant. */
    private static boolean isGuest(Map<String, Object> idToken) {
        String home = String.valueOf(idToken.getOrDefault("idp", ""));
        String tenant = String.valueOf(idToken.getOrDefault("tid", ""));
        return String.valueOf(idToken.get("acct")).equals("1")
                || (!tenant.isEmpty() && !home.isEmpty() && !home.contains(tenant));
    }

    private static String domain(String address) {
        return address.substring(address.lastIndexOf('@') + 1);
    }

    private static OidcRejection notVerified(String detail) {
        return new OidcRejection(OidcRejectionReason.EMAIL_NOT_VERIFIED, detail);
    }
}
