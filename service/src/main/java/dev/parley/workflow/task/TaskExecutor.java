package dev.parley.workflow.task;

import dev.parley.workflow.definition.core.TaskKind;
import java.time.Duration;

/**
 * Port: executes tasks of one kind. Runs on a virtual thread and may block; it is interrupted when the time limit is
 * reached or the instance is stopped. It may be called again with the same idempotency key if the node died before the
 * result was stored.
 */
public interface TaskExecutor {
    TaskKind kind();

    /** The time limit of one execution. */
    Duration limit();

    /** Whether the executor keeps a journal, so that a later attempt continues after its calls. */
    default boolean keepsJournal() {
        return false;
    }

    /**
     * Executes the task.
     *
     * @throws TaskFailure if there is no result
     * @throws InterruptedException promptly, when the thread is interrupted
     */
    TaskOutcome run(TaskRun run) throws TaskFailure, InterruptedException;
}
