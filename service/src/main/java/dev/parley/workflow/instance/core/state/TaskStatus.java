package dev.parley.workflow.instance.core.state;

/** The state of a task within an instance. */
public enum TaskStatus {
    /** Not started: a predecessor is unfinished, or the instance is paused by request. */
    PENDING,
    /** An executor is running it, or it waits for its next run ({@link TaskState#retryAt()} is set then). */
    RUNNING,
    /** Waits for a person, a time, an event or a sub-workflow: see {@link WaitingReason}. */
    WAITING,
    /** Completed: its outputs are final, and it never runs again. */
    COMPLETED,
    /** Failed for good, which fails the instance. */
    FAILED,
    /** Never started: see {@link SkipReason}. */
    SKIPPED,
    /** Stopped after its start, because the instance ended first. */
    CANCELLED;

    /** Whether the status is final. */
    public boolean isTerminal() {
        return switch (this) {
            case PENDING, RUNNING, WAITING -> false;
            case COMPLETED, FAILED, SKIPPED, CANCELLED -> true;
        };
    }
}
