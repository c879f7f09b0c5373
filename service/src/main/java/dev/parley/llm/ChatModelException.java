package dev.parley.llm;

import dev.parley.problem.UpstreamFailure;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request without a usable reply. A transient one is an outage, also a limit of requests that retries did not outlast.
 * The sentence quotes nothing from the model's service.
 */
public final class ChatModelException extends UpstreamFailure {
    private static final long serialVersionUID = 1;

    private final boolean contextOverflow;

    @SuppressWarnings("serial") // never serialised
    private final @Nullable ChatReply answered;

    private ChatModelException(
            String detail,
            boolean transientFault,
            boolean contextOverflow,
            @Nullable Duration retryAfter,
            @Nullable ChatReply answered,
            @Nullable Throwable cause) {
        super("Model error", detail, transientFault, retryAfter, cause);
        this.contextOverflow = contextOverflow;
        this.answered = answered;
    }

    /** A failure that a retry may resolve: a time-out, a lost connection, a busy service, a malformed reply. */
    public static ChatModelException transientFault(String detail, @Nullable Throwable cause) {
        return new ChatModelException(detail, true, false, null, null, cause);
    }

    /** A failure that a retry does not resolve: a rejected key, an unknown model, a filtered reply. */
    public static ChatModelException permanentFault(String detail, @Nullable Throwable cause) {
        return new ChatModelException(detail, false, false, null, null, cause);
    }

    /** The same failure with the delay that the service requested. */
    public ChatModelException retryAfter(Duration wait) {
        return new ChatModelException(detail(), isTransient(), contextOverflow, wait, answered, getCause());
    }

    /** The failure of a request that is longer than the model can read. */
    public static ChatModelException contextOverflow(String detail) {
        return new ChatModelException(detail, false, true, null, null, null);
    }

    /** Whether the request is longer than the model can read; one that can read more may reply. */
    public boolean isContextOverflow() {
        return contextOverflow;
    }

    /** The same failure with the unusable reply, whose tokens count. */
    public ChatModelException answered(ChatReply unusable) {
        return new ChatModelException(
                detail(), isTransient(), contextOverflow, retryAfter().orElse(null), unusable, getCause());
    }

    /** The same failure, including the tokens of earlier attempts. */
    public ChatModelException after(Optional<ChatReply> earlier) {
        return earlier.map(reply -> answered(answered == null ? reply : answered.after(reply)))
                .orElse(this);
    }

    /** The sentence without status and code, for people who do not operate the service. */
    public String plainDetail() {
        return detail().replaceFirst(" \\(status [^)]*\\)", "");
    }

    /** The unusable reply of the model, for records; its content is not validated. */
    public Optional<ChatReply> answered() {
        return Optional.ofNullable(answered);
    }
}
