package dev.parley.document;

import java.io.IOException;

/** A document or table could not be read. Users may see the message. */
public final class DocumentException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean transientFailure;

    public DocumentException(String sentence, boolean transientFailure) {
        super(sentence);
        this.transientFailure = transientFailure;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }

    /** Whether the same document may be read successfully later. */
    public boolean isTransient() {
        return transientFailure;
    }
}
