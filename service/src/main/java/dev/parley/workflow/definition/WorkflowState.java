package dev.parley.workflow.definition;

/** A state by which workflows are listed. */
enum WorkflowState {
    /** Never published. */
    DRAFT("w.published_version IS NULL"),
    PUBLISHED("w.published_version IS NOT NULL"),
    /** Published, with a draft that differs from the newest version. */
    CHANGED("w.published_version IS NOT NULL AND NOT w.published_draft"),
    /** The draft was not valid when it was saved. */
    INVALID("NOT w.valid");

    private final String condition;

    WorkflowState(String condition) {
        this.condition = condition;
    }

    /** The condition on a workflow {@code w}. */
    String condition() {
        return condition;
    }
}
