package dev.parley.workflow.instance.core;

/** The reason why a task is WAITING. */
public enum WaitingReason {
    /** The ticket of a Human task. */
    HUMAN_TICKET,
    /**
     * The Exception ticket of a task that failed: a person retries it, supplies its outputs, or raises the exception.
     */
    EXCEPTION_TICKET,
    /**
     * Values of {@code human_input} parameters, requested in the conversation, or by a ticket if there is no
     * conversation.
     */
    USER_INPUT
}
