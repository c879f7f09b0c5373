package dev.parley.llm;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A question that got no answer from the model. The message is a sentence that may be shown to users: it holds no key,
 * no URL and nothing that the model's service said.
 */
public final class ChatModelException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean transientFault;
    private final @Nullable Duration retryAfter;

    private ChatModelException(
            String sentence, boolean transientFault, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(sentence, cause);
        this.transientFault = transientFault;
        this.retryAfter = retryAfter;
    }

    /** A fault that may be gone later: a time-out, a lost connection, a busy service, a garbled answer. */
    static ChatModelException transientFault(String sentence, @Nullable Throwable cause) {
        return new ChatModelException(sentence, true, null, cause);
    }

    /** A fault that the same request meets again: a refused key, an unknown model, a filtered answer. */
    static ChatModelException permanentFault(String sentence, @Nullable Throwable cause) {
        return new ChatModelException(sentence, false, null, cause);
    }

    /** A transient fault whose service said when to come back. */
    ChatModelException retryAfter(Duration wait) {
        return new ChatModelException(sentence(), transientFault, wait, getCause());
    }

    /** Whether the same request may succeed later. */
    public boolean isTransient() {
        return transientFault;
    }

    /** How long the model's service asked to wait. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The sentence for users. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
