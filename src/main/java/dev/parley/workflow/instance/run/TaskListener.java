package dev.parley.workflow.instance.run;

import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.InstanceEvent;
import org.jspecify.annotations.Nullable;

/** What an engine does with an execution of a task; {@link TaskRunner} calls it from the execution's thread. */
public interface TaskListener {
    /**
     * Called once, when the execution ended: the engine applies the report.
     *
     * @param attempt stored with the change; null for a Human task, which has none
     */
    void onReport(InstanceEvent.TaskReport report, @Nullable TaskAttempt attempt);

    /** Stores an attempt that no change carries, unless the engine's node has lost the instance. */
    void store(TaskAttempt attempt);
}
