package dev.parley.workflow.task;

import dev.parley.problem.UpstreamFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A failed execution; the engine retries a transient failure. */
public final class TaskFailure extends UpstreamFailure {
    private static final long serialVersionUID = 1;

    private TaskFailure(
            String title,
            String detail,
            boolean transientFault,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(title, detail, transientFault, retryAfter, cause);
    }

    /** A failure that the same execution would have again. */
    public static TaskFailure permanent(String title, String detail) {
        return new TaskFailure(title, detail, false, null, null);
    }

    /** A failure of an external system. */
    public static TaskFailure of(UpstreamFailure failed) {
        return new TaskFailure(
                failed.title(),
                failed.detail(),
                failed.isTransient(),
                failed.retryAfter().orElse(null),
                failed);
    }

    /** A transient failure, with the delay that the remote side requested. */
    public static TaskFailure of(
            String title, String detail, boolean isTransient, @Nullable Duration retryAfter, Throwable cause) {
        return new TaskFailure(title, detail, isTransient, retryAfter, cause);
    }
}
