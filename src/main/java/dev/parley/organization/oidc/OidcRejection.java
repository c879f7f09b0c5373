package dev.parley.organization.oidc;

/** A sign-in that ends without a session. The message is for the log, and holds nothing secret. */
final class OidcRejection extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why; the sign-in page explains each by its code. */
    enum OidcRejectionReason {
        /** The provider does not answer, or not as a provider would. */
        PROVIDER_UNAVAILABLE,
        /** The person chose not to, or the provider does not let the person in. */
        CANCELLED,
        /** Not begun in this browser, too long ago, or used already. */
        NOT_BEGUN_HERE,
        /** What the provider gave cannot be trusted. */
        NOT_TRUSTED,
        /** The provider does not vouch for the e-mail address. */
        EMAIL_NOT_VERIFIED,
        /** Nobody here has this e-mail address. */
        NOT_INVITED,
        /** The person here belongs to another account at the provider. */
        OTHER_ACCOUNT,
        /** Too many attempts from this address. */
        TOO_MANY_ATTEMPTS;

        String code() {
            return "oidc_" + name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private final OidcRejectionReason why;

    OidcRejection(OidcRejectionReason why, String sentence) {
        super(sentence);
        this.why = why;
    }

    OidcRejection(OidcRejectionReason why, String sentence, Throwable cause) {
        super(sentence, cause);
        this.why = why;
    }

    static OidcRejection unavailable(String sentence) {
        return new OidcRejection(OidcRejectionReason.PROVIDER_UNAVAILABLE, sentence);
    }

    static OidcRejection notTrusted(String sentence) {
        return new OidcRejection(OidcRejectionReason.NOT_TRUSTED, sentence);
    }

    OidcRejectionReason why() {
        return why;
    }

    /** Whether the operator should learn of it. */
    boolean isTrouble() {
        return why == OidcRejectionReason.PROVIDER_UNAVAILABLE || why == OidcRejectionReason.NOT_TRUSTED;
    }
}
