package dev.parley.workflow.task.ai;

import dev.parley.workflow.task.TaskOutcome;

/** A tool call has no result yet, so the task waits without an executor. */
final class CallSuspendedException extends Exception {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never serialised
    private final TaskOutcome outcome;

    /** @param outcome what the task waits for */
    CallSuspendedException(TaskOutcome outcome) {
        super("The task waits for the result of a call.", null, false, false);
        this.outcome = outcome;
    }

    TaskOutcome outcome() {
        return outcome;
    }
}
