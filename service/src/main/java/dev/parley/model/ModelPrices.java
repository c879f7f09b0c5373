package dev.parley.model;

import dev.parley.llm.ChatReply;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Prices of a million tokens. Reasoning tokens are output tokens.
 *
 * @param cachedInput null if they cost as much as others
 */
record ModelPrices(BigDecimal input, @Nullable BigDecimal cachedInput, BigDecimal output) {
    /** The cost of a reply in millionths of the currency unit. */
    long costMicros(ChatReply reply) {
        long cached = Math.clamp(reply.cachedTokens(), 0, Math.max(0, reply.promptTokens()));
        return costMicros(reply.promptTokens() - cached, cached, reply.completionTokens());
    }

    long costMicros(long inputTokens, long cachedTokens, long outputTokens) {
        return input.multiply(BigDecimal.valueOf(inputTokens))
                .add((cachedInput == null ? input : cachedInput).multiply(BigDecimal.valueOf(cachedTokens)))
                .add(output.multiply(BigDecimal.valueOf(outputTokens)))
                .setScale(0, RoundingMode.HALF_UP)
                .longValue();
    }
}
