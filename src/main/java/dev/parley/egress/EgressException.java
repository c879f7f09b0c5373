package dev.parley.egress;

import java.io.IOException;

/**
 * An outgoing request that got no complete answer. An answer with any status, 500 too, is an answer and not this. The
 * message is a sentence that may be shown to users: it names the host at most, never a path, a header or an address
 * that the name resolved to.
 */
public final class EgressException extends IOException {
    private static final long serialVersionUID = 1;

    /** Why there is no answer. */
    public enum EgressFailureKind {
        /** The URL, method or a header is not one that the service sends. */
        INVALID_REQUEST(false),
        /** The host is, or resolves to, an address that is not public and not in PARLEY_EGRESS_ALLOW. */
        REFUSED_ADDRESS(false),
        /** The host's name did not resolve, or not in time. */
        UNRESOLVED(true),
        /** The deadline passed before the whole answer was there. */
        TIMEOUT(true),
        /** The connection was refused, reset, or ended before the whole answer was there. */
        CONNECTION(true),
        /** No trusted certificate for that host name. */
        TLS(false),
        /** The answer is larger than the request allows. */
        TOO_LARGE(false);

        private final boolean transientFault;

        EgressFailureKind(boolean transientFault) {
            this.transientFault = transientFault;
        }
    }

    private final EgressFailureKind kind;

    EgressException(EgressFailureKind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    EgressException(EgressFailureKind kind, String sentence, Throwable cause) {
        super(sentence, cause);
        this.kind = kind;
    }

    public EgressFailureKind kind() {
        return kind;
    }

    /** Whether the same request may succeed later. */
    public boolean isTransient() {
        return kind.transientFault;
    }

    /** The sentence for users. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
