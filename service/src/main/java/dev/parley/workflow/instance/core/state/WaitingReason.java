package dev.parley.workflow.instance.core.state;

/** The reason why a task is WAITING. */
public enum WaitingReason {
    /** The ticket of a Human task. */
    HUMAN_TICKET(true),
    /**
     * The Exception ticket of a task that failed: a person retries it, supplies its outputs, or raises the exception.
     */
    EXCEPTION_TICKET(true),
    /**
     * Values of {@code human_input} parameters, requested in the conversation, or by a ticket if there is no
     * conversation.
     */
    USER_INPUT(true),
    /** A person's decision on a tool call of the task's model, after which its executor continues. */
    TOOL_APPROVAL(true),
    /** A time, at which the task completes. */
    TIMER(false),
    /** An event from outside, which completes the task. */
    EVENT(false),
    /** The end of an instance that the task started, after which its executor continues. */
    SUB_WORKFLOW(false);

    private final boolean needsPerson;

    WaitingReason(boolean needsPerson) {
        this.needsPerson = needsPerson;
    }

    /** Whether a person has to act. An instance in which nothing else happens is then PAUSED, otherwise RUNNING. */
    public boolean needsPerson() {
        return needsPerson;
    }
}
