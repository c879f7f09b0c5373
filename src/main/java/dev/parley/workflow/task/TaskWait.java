package dev.parley.workflow.task;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The task waits without an executor.
 *
 * @param forEvent whether it waits for an event from outside, or else only for the time
 * @param until when the task completes, or when it stops waiting for the event
 * @param outputs by output name, for a task that waits for the time
 */
public record TaskWait(boolean forEvent, Instant until, Map<String, @Nullable Object> outputs) implements TaskOutcome {
    public TaskWait {
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }
}
