package dev.parley.workflow.definition.core;

/** What becomes of a task that fails for good (specification 2.6; DECISIONS 4). */
public enum ErrorPolicy {
    /** The instance fails. */
    RAISE,
    /** The task completes with null outputs. */
    IGNORE,
    /** The task runs again, at most five times; a Human task opens a new ticket. */
    RETRY
}
