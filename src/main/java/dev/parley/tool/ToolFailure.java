package dev.parley.tool;

import dev.parley.egress.EgressException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool, or a look at a provider, that came to nothing. Title and sentence reach clients: they hold no
 * credential, and of what a server said only a short, printable part.
 */
public final class ToolFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final String title;
    private final boolean transientFault;
    private final @Nullable Duration retryAfter;

    private ToolFailure(
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

    /** A fault that the same call would meet again. */
    public static ToolFailure permanent(String title, String sentence) {
        return new ToolFailure(title, sentence, false, null, null);
    }

    /** A fault that may be gone later. */
    public static ToolFailure passing(String title, String sentence, @Nullable Duration retryAfter) {
        return new ToolFailure(title, sentence, true, retryAfter, null);
    }

    public static ToolFailure of(EgressException failed) {
        String title =
                switch (failed.kind()) {
                    case INVALID_REQUEST -> "Invalid request";
                    case REFUSED_ADDRESS -> "Address refused";
                    case UNRESOLVED, CONNECTION, TLS -> "Not reachable";
                    case TIMEOUT -> "Time limit";
                    case TOO_LARGE -> "Answer too large";
                };
        return new ToolFailure(title, failed.sentence(), failed.isTransient(), null, failed);
    }

    public String title() {
        return title;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }

    public boolean isTransient() {
        return transientFault;
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
