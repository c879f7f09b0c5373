package dev.parley.workflow.instance.run.task;

import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.journal.AppendResult;
import dev.parley.workflow.journal.JournalEntry;
import org.jspecify.annotations.Nullable;

/** The part of an engine that a running task uses; {@link TaskRunner} calls it from the execution's thread. */
public interface TaskHost {
    /**
     * Appends the result of a call to the journal of a running task.
     *
     * @throws InterruptedException if the attempt has been stopped
     */
    AppendResult append(JournalEntry entry) throws InterruptedException;

    /**
     * Called once when an execution has ended and was not stopped, and when a retry is due; the engine applies the
     * report.
     *
     * @param attempt stored with the change; null for none
     */
    void onReport(InstanceEvent.TaskReport report, @Nullable TaskAttempt attempt);

    /** The usage of models by the instance, including that of attempts in progress. */
    ModelUsage usage();

    /** Stores an attempt that is not part of a change, unless the engine's node has lost the instance. */
    void store(TaskAttempt attempt);
}
