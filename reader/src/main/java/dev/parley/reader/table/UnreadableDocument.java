package dev.parley.reader.table;

import java.io.IOException;

/** The document cannot be read; the message says why. */
public final class UnreadableDocument extends IOException {
    private static final long serialVersionUID = 1;

    public UnreadableDocument(String detail) {
        super(detail);
    }

    public UnreadableDocument(String detail, Throwable cause) {
        super(detail, cause);
    }
}
