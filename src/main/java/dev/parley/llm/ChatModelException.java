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

    @SuppressWarnings("serial") // never sent anywhere
    private final @Nullable ChatReply answered;

    private ChatModelException(
            String sentence,
            boolean transientFault,
            @Nullable Duration retryAfter,
            @Nullable ChatReply answered,
            @Nullable Throwable cause) {
        super(sentence, cause);
        this.transientFault = transientFault;
        this.retryAfter = retryAfter;
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
        return new ChatModelException(sentence(), transientFault, wait, answered, getCause());
    }

    /** A fault of what the model did answer, which used tokens all the same. */
    ChatModelException answered(ChatReply refused) {
        return new ChatModelException(sentence(), transientFault, retryAfter, refused, getCause());
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
