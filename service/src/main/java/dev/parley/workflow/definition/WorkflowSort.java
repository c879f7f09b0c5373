package dev.parley.workflow.definition;

/** The order of a list of workflows. {@code a} is the last workflow of the page before. */
enum WorkflowSort {
    /** Newest first. */
    CREATED("w.id DESC", "w.id < a.id"),
    /** By name, in any case. */
    NAME(
            "lower(w.name), w.id DESC",
            "(lower(w.name) > lower(a.name) OR lower(w.name) = lower(a.name) AND w.id < a.id)"),
    /** Latest change first. */
    UPDATED("w.updated_at DESC, w.id DESC", "(w.updated_at, w.id) < (a.updated_at, a.id)");

    private final String order;
    private final String after;

    WorkflowSort(String order, String after) {
        this.order = order;
        this.after = after;
    }

    /** The terms of {@code ORDER BY}. */
    String order() {
        return order;
    }

    /** The condition for rows after {@code a}. */
    String after() {
        return after;
    }
}
