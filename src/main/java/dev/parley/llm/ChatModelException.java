package dev.parley.llm;

import dev.parley.problem.UpstreamFailure;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A question that got no answer from the model. Its sentence holds nothing that the model's service said.
 */
public final class ChatModelException extends UpstreamFailure {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never sent anywhere
    private final @Nullable ChatReply answered;

    private ChatModelException(
            String sentence,
            boolean transientFault,
            @Nullable Duration retryAfter,
            @Nullable ChatReply answered,
            @Nullable Throwable cause) {
        super("Model error", sentence, transientFault, retryAfter, cause);
        this.answered = answered;
    }

    /** A fault that may be gone later: a time-out, a lost connection, a busy service, a garbled answer. */
    static ChatModelException transientFault(String sentence, @Nullable Throwable cause) {
        return new ChatModelException(sentence, true, null, null, cause);
    }

    /** A fault that the same request meets again: a refused key, an unknown model, a filtered answer. */
    static ChatModelException permanentFault(String sentence, @Nullable Throwable cause) {
        return new ChatModelException(sentence, false, null, null, cause);
    }

    /** A transient fault whose service said when to come back. */
    ChatModelException retryAfter(Duration wait) {
        return new ChatModelException(sentence(), isTransient(), wait, answered, getCause());
    }

    /** A fault of what the model did answer, which used tokens all the same. */
    ChatModelException answered(ChatReply refused) {
        return new ChatModelException(sentence(), isTransient(), retryAfter().orElse(null), refused, getCause());
    }

    /** The same fault, with what earlier tries used. */
    ChatModelException after(Optional<ChatReply> refused) {
        return refused.map(before -> answered(answered == null ? before : answered.after(before)))
                .orElse(this);
    }

    /** What the model answered and could not be taken: for records, since it may be anything. */
    public Optional<ChatReply> answered() {
        return Optional.ofNullable(answered);
    }
}
