package dev.parley.workflow.instance.core.state;

/** Why a task was SKIPPED. */
public enum SkipReason {
    /** Its condition did not hold. */
    CONDITION,
    /** A predecessor that it needs was skipped. */
    PREDECESSOR,
    /** The instance ended first. */
    INSTANCE_ENDED
}
