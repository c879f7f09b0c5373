package dev.parley.problem;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure of an external system: a title, a detail (a sentence), and whether it is transient. Both texts reach clients
 * and tickets, so they name no class, path or credential.
 */
public abstract class UpstreamFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final String title;
    private final boolean transientFault;
    private final @Nullable Duration retryAfter;

    public UpstreamFailure(
            String title,
            String detail,
            boolean transientFault,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(detail, cause);
        this.title = title;
        this.transientFault = transientFault;
        this.retryAfter = retryAfter;
    }

    public final String title() {
        return title;
    }

    public final String detail() {
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
