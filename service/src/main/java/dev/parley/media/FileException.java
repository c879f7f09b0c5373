package dev.parley.media;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file could not be stored, moved or opened. Users may see the message. */
public final class FileException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean transientFailure;

    private FileException(String detail, boolean transientFailure, @Nullable Throwable cause) {
        super(detail, cause);
        this.transientFailure = transientFailure;
    }

    static FileException permanent(String detail) {
        return new FileException(detail, false, null);
    }

    static FileException of(String detail, boolean transientFailure, @Nullable Throwable cause) {
        return new FileException(detail, transientFailure, cause);
    }

    /** The message for users. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Whether a retry may succeed. */
    public boolean isTransient() {
        return transientFailure;
    }
}
