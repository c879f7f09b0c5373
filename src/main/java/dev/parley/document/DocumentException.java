package dev.parley.document;

import java.io.IOException;

/** A document or table could not be read. Users may see the message. */
public final class DocumentException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean transientFault;

    public DocumentException(String sentence, boolean transientFault) {
        super(sentence);
        this.transientFault = transientFault;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }

    /** Whether the same document may be read successfully later. */
    public boolean isTransient() {
        return transientFault;
    }
}
