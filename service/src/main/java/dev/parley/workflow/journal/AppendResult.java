package dev.parley.workflow.journal;

/** The result of an append. */
public enum AppendResult {
    STORED,
    /** The position has another entry already. */
    CONFLICT,
    /** The node has lost its lease. */
    FENCED
}
