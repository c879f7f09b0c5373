package dev.parley.workflow.task;

import dev.parley.problem.UpstreamFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An execution that failed; a transient fault is tried again by the engine. */
public final class TaskFailure extends UpstreamFailure {
    private static final long serialVersionUID = 1;

    private TaskFailure(
            String title,
            String sentence,
            boolean transientFault,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(title, sentence, transientFault, retryAfter, cause);
    }

    /** A fault that the same execution would meet again. */
    public static TaskFailure permanent(String title, String sentence) {
        return new TaskFailure(title, sentence, false, null, null);
    }

    /** What a task met outside of us. */
    public static TaskFailure of(UpstreamFailure failed) {
        return new TaskFailure(
                failed.title(),
                failed.sentence(),
                failed.isTransient(),
                failed.retryAfter().orElse(null),
                failed);
    }

    /** A fault that may be gone later, with the time that the other side asked to wait. */
    public static TaskFailure of(
            String title, String sentence, boolean isTransient, @Nullable Duration retryAfter, Throwable cause) {
        return new TaskFailure(title, sentence, isTransient, retryAfter, cause);
    }
}
