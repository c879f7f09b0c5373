package dev.parley.workflow.instance.core;

/** The state of a task within an instance. */
public enum TaskStatus {
    /** Not begun: a task before it is unfinished, or the instance is paused by request. */
    PENDING,
    /** An executor works on it, or it waits for its next run ({@link TaskState#retryAt()} is set then). */
    RUNNING,
    /** A person has to act: see {@link WaitingReason}. */
    WAITING,
    /** Done: its outputs are final, and it never runs again. */
    COMPLETED,
    /** Failed for good, which fails the instance. */
    FAILED,
    /** Never begun, since the instance ended first. */
    SKIPPED,
    /** Begun, and stopped since the instance ended first. */
    CANCELLED;

    /** Whether nothing can follow. */
    public boolean isTerminal() {
        return switch (this) {
            case PENDING, RUNNING, WAITING -> false;
            case COMPLETED, FAILED, SKIPPED, CANCELLED -> true;
        };
    }
}
