package dev.parley.workflow.instance.core;

/** What a WAITING task waits for. */
public enum WaitingReason {
    /** The ticket of a Human task. */
    HUMAN_TICKET,
    /** The Exception ticket of a task that failed: a person retries it, supplies its outputs, or raises. */
    EXCEPTION_TICKET,
    /** Values of {@code human_input} parameters: asked for in the conversation, or by a ticket where there is none. */
    USER_INPUT
}
