package dev.parley.reader;

import java.io.IOException;

/** The document cannot be read; the message says why. */
final class UnreadableDocument extends IOException {
    private static final long serialVersionUID = 1;

    UnreadableDocument(String detail) {
        super(detail);
    }

    UnreadableDocument(String detail, Throwable cause) {
        super(detail, cause);
    }
}
