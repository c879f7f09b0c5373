package dev.parley.workflow.definition.core.part;

import org.jspecify.annotations.Nullable;

/**
 * Under which condition and how often a task runs.
 *
 * @param when the condition in CEL; null if the task always runs
 * @param forEach null unless the task runs once per item of an input
 * @param repeat null unless the task runs until a condition holds
 */
public record ControlFlow(
        @Nullable String when,
        JoinRule join,
        @Nullable ForEach forEach,
        @Nullable Repeat repeat) {
    /** A task that runs once, after all of its predecessors. */
    public static final ControlFlow ONCE = new ControlFlow(null, JoinRule.ALL, null, null);

    /** Which predecessors must have run for the task to run. */
    public enum JoinRule {
        ALL,
        ANY
    }

    /** What the failure of an item does. */
    public enum ItemErrorRule {
        /** The task fails. */
        FAIL,
        /** The item's outputs are null, and the task goes on. */
        COLLECT
    }

    /**
     * Runs the task once per item of an ARRAY input.
     *
     * @param input the name of the input; each run gets one item as its value
     * @param maxParallel the number of items that may be in progress at the same time
     */
    public record ForEach(String input, int maxParallel, ItemErrorRule onError) {}

    /**
     * Runs the task again until a condition over its outputs holds.
     *
     * @param until the condition in CEL
     * @param max the number of runs after which the task fails
     */
    public record Repeat(String until, int max) {}
}
