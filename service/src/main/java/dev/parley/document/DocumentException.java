package dev.parley.document;

import java.io.IOException;

/** A document or table could not be read. Users may see the message. */
public final class DocumentException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean transientFailure;
    private final String output;

    public DocumentException(String detail, boolean transientFailure) {
        this(detail, transientFailure, "");
    }

    DocumentException(String detail, boolean transientFailure, String output) {
        super(detail);
        this.transientFailure = transientFailure;
        this.output = output;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Whether the same document may be read successfully later. */
    public boolean isTransient() {
        return transientFailure;
    }

    /** Details that the reader reported with its refusal: for a workbook {@code {"sheets": […]}}. */
    public String output() {
        return output;
    }
}
