package dev.parley.workflow.definition.core;

/** What becomes of a task that fails for good. */
public enum ErrorPolicy {
    /** The instance fails. */
    RAISE,
    /** The task completes with null outputs. */
    IGNORE,
    /** The task runs again, at most five times; a Human task opens a new ticket. */
    RETRY
}
