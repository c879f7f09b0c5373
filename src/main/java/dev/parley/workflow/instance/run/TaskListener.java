package dev.parley.workflow.instance.run;

import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.journal.AppendResult;
import dev.parley.workflow.journal.JournalEntry;
import org.jspecify.annotations.Nullable;

/** Receives the progress of a task execution; {@link TaskRunner} calls it from the execution's thread. */
public interface TaskListener {
    /**
     * Called once when the execution ended; the engine applies the report.
     *
     * @param attempt stored with the change; null for a Human task, which has none
     */
    void onReport(InstanceEvent.TaskReport report, @Nullable TaskAttempt attempt);

    /**
     * Appends the result of a call to the journal of a running task.
     *
     * @throws InterruptedException if the attempt has been stopped
     */
    AppendResult append(JournalEntry entry) throws InterruptedException;

    /** The usage of models by the instance, including that of attempts in progress. */
    ModelUsage usage();

    /** Stores an attempt that is not part of a change, unless the engine's node has lost the instance. */
    void store(TaskAttempt attempt);
}
