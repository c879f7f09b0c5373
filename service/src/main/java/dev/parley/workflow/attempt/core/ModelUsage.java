package dev.parley.workflow.attempt.core;

/**
 * The usage of model calls by one attempt, or by all attempts of a task.
 *
 * @param costMicros cost in millionths of the currency of the price settings
 * @param modelCalls calls of a model that were answered
 * @param toolCalls calls of tools by a model
 */
public record ModelUsage(long inputTokens, long outputTokens, long costMicros, int modelCalls, int toolCalls) {
    public static final ModelUsage NONE = new ModelUsage(0, 0, 0, 0, 0);

    /** The usage of one model call. */
    public static ModelUsage ofReply(long inputTokens, long outputTokens, long costMicros) {
        return new ModelUsage(inputTokens, outputTokens, costMicros, 1, 0);
    }

    /** The usage of one tool call, which takes no tokens. */
    public static ModelUsage ofToolCall() {
        return new ModelUsage(0, 0, 0, 0, 1);
    }

    public long tokens() {
        return inputTokens + outputTokens;
    }

    public ModelUsage plus(ModelUsage other) {
        return new ModelUsage(
                inputTokens + other.inputTokens,
                outputTokens + other.outputTokens,
                costMicros + other.costMicros,
                modelCalls + other.modelCalls,
                toolCalls + other.toolCalls);
    }

    /** The larger of each count. */
    public ModelUsage max(ModelUsage other) {
        return new ModelUsage(
                Math.max(inputTokens, other.inputTokens),
                Math.max(outputTokens, other.outputTokens),
                Math.max(costMicros, other.costMicros),
                Math.max(modelCalls, other.modelCalls),
                Math.max(toolCalls, other.toolCalls));
    }

    /** What is left of each count, at least 0. */
    public ModelUsage minus(ModelUsage other) {
        return new ModelUsage(
                Math.max(0, inputTokens - other.inputTokens),
                Math.max(0, outputTokens - other.outputTokens),
                Math.max(0, costMicros - other.costMicros),
                Math.max(0, modelCalls - other.modelCalls),
                Math.max(0, toolCalls - other.toolCalls));
    }

    public boolean isNone() {
        return equals(NONE);
    }
}
