package dev.parley.problem;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure of an external system: a title, a sentence, and whether it is transient. Title and sentence reach clients
 * and tickets, so they name no class, path or credential.
 */
public abstract class UpstreamFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final String title;
    private final boolean transientFault;
    private final @Nullable Duration retryAfter;

    protected UpstreamFailure(
            String title,
            String sentence,
            boolean transientFault,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(sentence, cause);
        this.title = title;
        this.transientFault = transientFault;
        this.retryAfter = retryAfter;
    }

    public final String title() {
        return title;
    }

    public final String sentence() {
        return String.valueOf(getMessage());
    }

    /** Whether a retry may succeed. */
    public final boolean isTransient() {
        return transientFault;
    }

    /** The delay requested by the remote side. */
    public final Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
