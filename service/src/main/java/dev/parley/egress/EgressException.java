package dev.parley.egress;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.util.Optional;

/**
 * An outgoing request without a complete response. A response with any status, including 500, is not an exception.
 * Users may see the message: it names at most the host, never a path, a header or a resolved address.
 */
public final class EgressException extends IOException {
    private static final long serialVersionUID = 1;

    /** Why there is no response. */
    public enum EgressFailureKind {
        /** The URL, method or a header is not allowed. */
        INVALID_REQUEST(false),
        /** The host is, or resolves to, an address that is not public and not in PARLEY_EGRESS_ALLOW. */
        REFUSED_ADDRESS(false),
        /** The host's name did not resolve, or not in time. */
        UNRESOLVED(true),
        /** The deadline passed before the response was complete. */
        TIMEOUT(true),
        /** The connection was refused, reset, or closed before the response was complete. */
        CONNECTION(true),
        /** No trusted certificate for that host name. */
        TLS(false),
        /** The response is larger than the request allows. */
        TOO_LARGE(false),
        /** The response is compressed in an unknown way, or its compressed data is damaged. */
        ENCODING(false);

        private final boolean transientFailure;

        EgressFailureKind(boolean transientFailure) {
            this.transientFailure = transientFailure;
        }
    }

    private final EgressFailureKind kind;

    EgressException(EgressFailureKind kind, String detail) {
        super(detail);
        this.kind = kind;
    }

    EgressException(EgressFailureKind kind, String detail, Throwable cause) {
        super(detail, cause);
        this.kind = kind;
    }

    /** For readers of a response that limit its parts. */
    public static EgressException tooLarge(long max) {
        return new EgressException(EgressFailureKind.TOO_LARGE, "The host sent more than " + max + " bytes.");
    }

    /** The exception or its cause that is one of these; empty if there is none. */
    static Optional<EgressException> within(Throwable failure) {
        return Throwables.getCausalChain(failure).stream()
                .filter(EgressException.class::isInstance)
                .map(EgressException.class::cast)
                .findFirst();
    }

    public EgressFailureKind kind() {
        return kind;
    }

    /** Whether the same request may succeed later. */
    public boolean isTransient() {
        return kind.transientFailure;
    }

    /** The message for users. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}
