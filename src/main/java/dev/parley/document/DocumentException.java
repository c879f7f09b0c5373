package dev.parley.document;

import java.io.IOException;

/** A document or table that could not be read. The message is a sentence that may be shown to users. */
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

    /** Whether the same may succeed later. */
    public boolean isTransient() {
        return transientFault;
    }
}
