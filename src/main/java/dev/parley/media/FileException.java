package dev.parley.media;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file could not be stored, moved or opened. Users may see the message. */
public final class FileException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean transientFailure;

    private FileException(String sentence, boolean transientFailure, @Nullable Throwable cause) {
        super(sentence, cause);
        this.transientFailure = transientFailure;
    }

    static FileException permanent(String sentence) {
        return new FileException(sentence, false, null);
    }

    static FileException of(String sentence, boolean transientFailure, @Nullable Throwable cause) {
        return new FileException(sentence, transientFailure, cause);
    }

    /** The message for users. */
    public String sentence() {
        return String.valueOf(getMessage());
    }

    /** Whether a retry may succeed. */
    public boolean isTransient() {
        return transientFailure;
    }
}
