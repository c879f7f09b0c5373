package dev.parley.budget.usage;

import dev.parley.llm.ChatReply;

/** What calls of models used. */
record ModelUsageSums(
        long calls, long inputTokens, long cachedTokens, long outputTokens, long reasoningTokens, long costMicros) {
    static ModelUsageSums of(ChatReply reply) {
        return new ModelUsageSums(
                1,
                reply.promptTokens(),
                reply.cachedTokens(),
                reply.completionTokens(),
                reply.reasoningTokens(),
                reply.costMicros());
    }

    ModelUsageSums plus(ModelUsageSums other) {
        return new ModelUsageSums(
                calls + other.calls,
                inputTokens + other.inputTokens,
                cachedTokens + other.cachedTokens,
                outputTokens + other.outputTokens,
                reasoningTokens + other.reasoningTokens,
                costMicros + other.costMicros);
    }
}
