package dev.parley.workflow.attempt.core;

/**
 * What calls of models used (DECISIONS 4, "AI"): those of an attempt, or of all attempts of a task.
 *
 * @param costMicros cost in millionths of the currency of the price settings
 */
public record Usage(long inputTokens, long outputTokens, long costMicros) {
    public static final Usage NONE = new Usage(0, 0, 0);

    public Usage plus(Usage other) {
        return new Usage(
                inputTokens + other.inputTokens, outputTokens + other.outputTokens, costMicros + other.costMicros);
    }

    public boolean isNone() {
        return equals(NONE);
    }
}
