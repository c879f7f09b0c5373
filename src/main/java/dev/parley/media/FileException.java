package dev.parley.media;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file could not be stored, moved or opened. Users may see the message. */
public final class FileException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean transientFault;

    private FileException(String sentence, boolean transientFault, @Nullable Throwable cause) {
        super(sentence, cause);
        this.transientFault = transientFault;
    }

    static FileException permanent(String sentence) {
        return new FileException(sentence, false, null);
    }

    static FileException of(String sentence, boolean transientFault, @Nullable Throwable cause) {
        return new FileException(sentence, transientFault, cause);
    }

    /** The message for users. */
    public String sentence() {
        return String.valueOf(getMessage());
    }

    /** Whether a retry may succeed. */
    public boolean isTransient() {
        return transientFault;
    }
}
