package dev.parley.workflow.instance.core;

/** The state of a workflow instance, {@code workflow_instance_status}. */
public enum InstanceStatus {
    /** The initial status: tasks run, or wait for their next automatic retry. */
    RUNNING,
    /** Waits for a person with nothing else to run, or was paused by request. */
    PAUSED,
    /** Every task is done. */
    COMPLETED,
    /** A task's error was raised. */
    FAILED,
    /** Stopped by request. */
    CANCELLED,
    /** Ended by the service or an operator at once. */
    TERMINATED;

    /** Whether nothing can follow. */
    public boolean isTerminal() {
        return switch (this) {
            case RUNNING, PAUSED -> false;
            case COMPLETED, FAILED, CANCELLED, TERMINATED -> true;
        };
    }

    /**
     * The transition table of docs/reference/instances.md. RUNNING may become any status, RUNNING again being a heartbeat and
     * not a change; PAUSED leads to RUNNING, CANCELLED or TERMINATED alone; terminal states lead nowhere.
     */
    public boolean canBecome(InstanceStatus next) {
        return switch (this) {
            case RUNNING -> true;
            case PAUSED -> next == RUNNING || next == CANCELLED || next == TERMINATED;
            case COMPLETED, FAILED, CANCELLED, TERMINATED -> false;
        };
    }
}
