package dev.parley.workflow.task.ai;

import dev.parley.workflow.attempt.core.PendingToolCall;

/** A tool call needs a person's approval, so the execution ends. */
final class ApprovalNeededException extends Exception {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never serialised
    private final PendingToolCall call;

    ApprovalNeededException(PendingToolCall call) {
        super("A person has to approve the call.", null, false, false);
        this.call = call;
    }

    PendingToolCall call() {
        return call;
    }
}
