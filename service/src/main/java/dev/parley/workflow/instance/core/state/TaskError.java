package dev.parley.workflow.instance.core.state;

import dev.parley.budget.core.BudgetExceededException;

/**
 * Why a task failed.
 *
 * @param error a short title, such as {@code Timeout}
 * @param detail a sentence for people; it may reach clients, so it names no class, path or credential
 * @param isTransient whether the same call may succeed later (a time-out, 429, 5xx, a lost connection), so that it is
 *     retried automatically
 */
public record TaskError(String error, String detail, boolean isTransient) {
    /** Whether the task can go on once a budget allows its next call. */
    public boolean exceedsBudget() {
        return error.equals(BudgetExceededException.TITLE);
    }
}
