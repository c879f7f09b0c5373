package dev.parley.workflow.task;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The task waits without an executor.
 *
 * @param until when the task completes (TIME), stops waiting (EVENT), or is executed again at the latest (SUB_WORKFLOW)
 * @param outputs by output name, for a task that waits for the time
 */
public record TaskWait(WaitKind kind, Instant until, Map<String, @Nullable Object> outputs) implements TaskOutcome {
    /** What the task waits for. */
    public enum WaitKind {
        TIME,
        EVENT,
        /** The end of an instance that the task started; the task is then executed again, as the same attempt. */
        SUB_WORKFLOW
    }

    public TaskWait {
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }
}
