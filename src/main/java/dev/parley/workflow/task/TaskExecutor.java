package dev.parley.workflow.task;

import dev.parley.workflow.definition.core.Task;
import java.time.Duration;

/**
 * Does the work of one kind of task: a port. An executor runs on a virtual thread and may block; it is interrupted when
 * the task's time is up or the instance is stopped. It may be called again with the same idempotency key when the node
 * died before the result was stored.
 */
public interface TaskExecutor {
    Class<? extends Task> kind();

    /** The time that one execution may take. */
    Duration limit();

    /**
     * Does the work.
     *
     * @throws TaskFailure when there is no result
     * @throws InterruptedException promptly, when the thread is interrupted
     */
    TaskResult run(TaskRun run) throws TaskFailure, InterruptedException;
}
