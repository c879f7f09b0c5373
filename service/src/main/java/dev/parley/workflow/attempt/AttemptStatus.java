package dev.parley.workflow.attempt;

/** The status of an attempt. */
public enum AttemptStatus {
    /** In progress. Stored only for a long attempt: one whose model called a tool or was called again. */
    RUNNING,
    COMPLETED,
    FAILED,
    /** It waits for a person's decision on a tool call, or for a sub-workflow; the task continues with a new execution. */
    SUSPENDED,
    /** It was stopped or superseded; its result was dropped. */
    CANCELLED,
    /** Its node died before it reported a result. The task was run again. */
    LOST
}
