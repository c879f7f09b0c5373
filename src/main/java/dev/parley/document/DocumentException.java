package dev.parley.document;

import java.io.IOException;

/** A document or table could not be read. Users may see the message. */
public final class DocumentException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean transientFailure;

    public DocumentException(String detail, boolean transientFailure) {
        super(detail);
        this.transientFailure = transientFailure;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Whether the same document may be read successfully later. */
    public boolean isTransient() {
        return transientFailure;
    }
}
