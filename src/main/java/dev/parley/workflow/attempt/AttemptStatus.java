package dev.parley.workflow.attempt;

/** How far an attempt came. */
public enum AttemptStatus {
    /** It is under way. Stored only for one that lasts: whose model called a tool, or was asked again. */
    RUNNING,
    COMPLETED,
    FAILED,
    /** It was stopped, or came too late; its result was dropped. */
    CANCELLED,
    /** Its node stopped before it told what became of it. The task was run again. */
    LOST
}
