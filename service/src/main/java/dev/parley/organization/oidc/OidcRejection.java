package dev.parley.organization.oidc;

import java.util.Locale;

/** A failed sign-in. The message is for the log and contains no secrets. */
final class OidcRejection extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The reason; the sign-in page has a text for each code. */
    enum OidcRejectionReason {
        /** The provider is unreachable, or its response is invalid. */
        PROVIDER_UNAVAILABLE,
        /** The user cancelled, or the provider denied access. */
        CANCELLED,
        /** Started in another browser, expired, or already used. */
        NOT_BEGUN_HERE,
        /** The redirect or the ID token failed validation. */
        NOT_TRUSTED,
        /** The provider has not verified the email address. */
        EMAIL_NOT_VERIFIED,
        /** The email address has neither an account nor an invitation. */
        NOT_INVITED,
        /** The account is linked to another subject of the provider. */
        OTHER_ACCOUNT,
        /** Too many attempts from this address. */
        TOO_MANY_ATTEMPTS;

        String code() {
            return "oidc_" + name().toLowerCase(Locale.ROOT);
        }
    }

    private final OidcRejectionReason reason;

    OidcRejection(OidcRejectionReason reason, String detail) {
        super(detail);
        this.reason = reason;
    }

    OidcRejection(OidcRejectionReason reason, String detail, Throwable cause) {
        super(detail, cause);
        this.reason = reason;
    }

    static OidcRejection unavailable(String detail) {
        return new OidcRejection(OidcRejectionReason.PROVIDER_UNAVAILABLE, detail);
    }

    static OidcRejection unavailable(String detail, Throwable cause) {
        return new OidcRejection(OidcRejectionReason.PROVIDER_UNAVAILABLE, detail, cause);
    }

    static OidcRejection notTrusted(String detail) {
        return new OidcRejection(OidcRejectionReason.NOT_TRUSTED, detail);
    }

    static OidcRejection notTrusted(String detail, Throwable cause) {
        return new OidcRejection(OidcRejectionReason.NOT_TRUSTED, detail, cause);
    }

    OidcRejectionReason reason() {
        return reason;
    }

    /** Whether it is logged as a warning: the provider or the configuration is at fault, not the user. */
    boolean concernsOperator() {
        return switch (reason) {
            case PROVIDER_UNAVAILABLE, NOT_TRUSTED, EMAIL_NOT_VERIFIED -> true;
            default -> false;
        };
    }
}
