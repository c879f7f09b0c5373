package dev.parley.budget.usage;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The usage of models by one model, workflow, API key or day. */
@Schema(name = "ModelUsage")
public record ModelUsageRow(
        @Schema(
                nullable = true,
                description =
                        "The alias of the model, the id of the workflow or the API key, or the day in UTC; null for"
                                + " calls outside workflows or without a key",
                examples = "2030-01-31")
        @Nullable
        String key,

        @Schema(nullable = true, description = "The name of the workflow or the API key") @Nullable
        String name,

        long calls,

        @Schema(description = "Includes the cached ones") long inputTokens,

        long cachedTokens,

        @Schema(description = "Includes those of reasoning") long outputTokens,

        long reasoningTokens,

        @Schema(description = "Millionths of the currency") long costMicros) {}
