package dev.parley.workflow.attempt.core;

/**
 * The usage of model calls by one attempt, or by all attempts of a task.
 *
 * @param costMicros cost in millionths of the currency of the price settings
 */
public record ModelUsage(long inputTokens, long outputTokens, long costMicros) {
    public static final ModelUsage NONE = new ModelUsage(0, 0, 0);

    public ModelUsage plus(ModelUsage other) {
        return new ModelUsage(
                inputTokens + other.inputTokens, outputTokens + other.outputTokens, costMicros + other.costMicros);
    }

    /** The larger of each count. */
    public ModelUsage max(ModelUsage other) {
        return new ModelUsage(
                Math.max(inputTokens, other.inputTokens),
                Math.max(outputTokens, other.outputTokens),
                Math.max(costMicros, other.costMicros));
    }

    /** What is left of each count, at least 0. */
    public ModelUsage minus(ModelUsage other) {
        return new ModelUsage(
                Math.max(0, inputTokens - other.inputTokens),
                Math.max(0, outputTokens - other.outputTokens),
                Math.max(0, costMicros - other.costMicros));
    }

    public boolean isNone() {
        return equals(NONE);
    }
}
