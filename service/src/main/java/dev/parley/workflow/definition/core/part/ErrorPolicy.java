package dev.parley.workflow.definition.core.part;

/** The handling of a task that failed and has no automatic retries left. */
public enum ErrorPolicy {
    /** The instance fails. */
    RAISE,
    /** The task completes with null outputs. */
    IGNORE,
    /** The task runs again, at most five times; a Human task opens a new ticket. */
    RETRY
}
