package dev.parley.organization.oidc;

/** A sign-in that ends without a session. The message is for the log, and holds nothing secret. */
final class OidcRejection extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why; the sign-in page explains each by its code. */
    enum Why {
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

    private final Why why;

    OidcRejection(Why why, String sentence) {
        super(sentence);
        this.why = why;
    }

    OidcRejection(Why why, String sentence, Throwable cause) {
        super(sentence, cause);
        this.why = why;
    }

    static OidcRejection unavailable(String sentence) {
        return new OidcRejection(Why.PROVIDER_UNAVAILABLE, sentence);
    }

    static OidcRejection notTrusted(String sentence) {
        return new OidcRejection(Why.NOT_TRUSTED, sentence);
    }

    Why why() {
        return why;
    }

    /** Whether the operator should learn of it. */
    boolean isTrouble() {
        return why == Why.PROVIDER_UNAVAILABLE || why == Why.NOT_TRUSTED;
    }
}
