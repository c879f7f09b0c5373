package dev.parley.workflow.attempt.core;

/**
 * What calls of models used: those of an attempt, or of all attempts of a task.
 *
 * @param costMicros cost in millionths of the currency of the price settings
 */
public record ModelUsage(long inputTokens, long outputTokens, long costMicros) {
    public static final ModelUsage NONE = new ModelUsage(0, 0, 0);

    public ModelUsage plus(ModelUsage other) {
        return new ModelUsage(
                inputTokens + other.inputTokens, outputTokens + other.outputTokens, costMicros + other.costMicros);
    }

    public boolean isNone() {
        return equals(NONE);
    }
}
