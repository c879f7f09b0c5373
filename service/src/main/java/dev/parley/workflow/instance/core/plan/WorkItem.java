package dev.parley.workflow.instance.core.plan;

import org.jspecify.annotations.Nullable;

/**
 * What has attempts, retries and tickets of its own: a task, or one item of a task that runs for each item of an input.
 *
 * @param task the number of the task
 * @param index the index of the item, from 0; -1 for the task itself
 */
public record WorkItem(int task, int index) {
    public static WorkItem ofTask(int task) {
        return new WorkItem(task, -1);
    }

    /** The index of the item; null for the task itself. */
    public @Nullable Integer itemIndex() {
        return isTask() ? null : index;
    }

    public boolean isTask() {
        return index < 0;
    }
}
