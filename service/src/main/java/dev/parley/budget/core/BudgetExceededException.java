package dev.parley.budget.core;

import dev.parley.problem.UpstreamFailure;
import java.time.Instant;

/** A call that a budget does not allow at present. The model was not called. */
public final class BudgetExceededException extends UpstreamFailure {
    /** The title of such a failure, by which a task's error is recognized. */
    public static final String TITLE = "Budget exceeded";

    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never serialised
    private final CallEstimate estimate;

    private final Instant resetsAt;

    public BudgetExceededException(String detail, CallEstimate estimate, Instant resetsAt) {
        super(TITLE, detail, false, null, null);
        this.estimate = estimate;
        this.resetsAt = resetsAt;
    }

    public CallEstimate estimate() {
        return estimate;
    }

    /** When the budget's next period starts. */
    public Instant resetsAt() {
        return resetsAt;
    }
}
