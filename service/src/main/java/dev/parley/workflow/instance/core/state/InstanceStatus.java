package dev.parley.workflow.instance.core.state;

/** The state of a workflow instance, {@code workflow_instance_status}. */
public enum InstanceStatus {
    /** The initial status: tasks run or wait for an automatic retry. */
    RUNNING,
    /** Paused by request, or no task can continue before a person, a time, an event or a sub-workflow. */
    PAUSED,
    /** Every task is done. */
    COMPLETED,
    /** A task's error was raised. */
    FAILED,
    /** Stopped by request. */
    CANCELLED,
    /** Ended at once by the service or an operator. */
    TERMINATED;

    /** Whether the status is final. */
    public boolean isTerminal() {
        return switch (this) {
            case RUNNING, PAUSED -> false;
            case COMPLETED, FAILED, CANCELLED, TERMINATED -> true;
        };
    }

    /**
     * The transition table of docs/reference/instances.md. RUNNING may become any status (RUNNING again is a heartbeat,
     * not a change); PAUSED may become RUNNING, CANCELLED or TERMINATED; terminal statuses never change.
     */
    public boolean canBecome(InstanceStatus next) {
        return switch (this) {
            case RUNNING -> true;
            case PAUSED -> next == RUNNING || next == CANCELLED || next == TERMINATED;
            case COMPLETED, FAILED, CANCELLED, TERMINATED -> false;
        };
    }
}
