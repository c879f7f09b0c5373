package dev.parley.attachment;

import dev.parley.problem.UpstreamFailure;
import org.jspecify.annotations.Nullable;

/** A file is temporarily unreadable. */
public final class AttachmentException extends UpstreamFailure {
    private static final long serialVersionUID = 1;

    AttachmentException(String detail, @Nullable Throwable cause) {
        super("File error", detail, true, null, cause);
    }
}
