package dev.parley.workflow.task;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An execution that failed. Title and sentence reach clients and tickets: they name no class, path or credential.
 */
public final class TaskFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final String title;
    private final boolean transientFault;
    private final @Nullable Duration retryAfter;

    private TaskFailure(
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

    /** A fault that the same execution would meet again. */
    public static TaskFailure permanent(String title, String sentence) {
        return new TaskFailure(title, sentence, false, null, null);
    }

    /** A fault that may be gone later, with the time that the other side asked to wait. */
    public static TaskFailure of(
            String title, String sentence, boolean isTransient, @Nullable Duration retryAfter, Throwable cause) {
        return new TaskFailure(title, sentence, isTransient, retryAfter, cause);
    }

    public String title() {
        return title;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }

    /** Whether the engine shall try again by itself. */
    public boolean isTransient() {
        return transientFault;
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
