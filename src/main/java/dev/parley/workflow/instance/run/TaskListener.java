package dev.parley.workflow.instance.run;

import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.InstanceEvent;
import org.jspecify.annotations.Nullable;

/** The host of executions that {@link TaskRunner} starts on threads of their own. */
public interface TaskListener extends TaskHost {
    /**
     * Called once when the execution ended; the engine applies the report.
     *
     * @param attempt stored with the change; null for a Human task, which has none
     */
    void onReport(InstanceEvent.TaskReport report, @Nullable TaskAttempt attempt);
}
