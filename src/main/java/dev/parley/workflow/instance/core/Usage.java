package dev.parley.workflow.instance.core;

/**
 * What a task's model calls used, summed over its attempts (DECISIONS 4, "AI").
 *
 * @param costMicros cost in millionths of the currency of the price settings
 */
public record Usage(long inputTokens, long outputTokens, long costMicros) {
    public Usage plus(Usage other) {
        return new Usage(
                inputTokens + other.inputTokens, outputTokens + other.outputTokens, costMicros + other.costMicros);
    }
}
