package dev.parley.budget;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A budget and its use in the current period. */
@Schema(name = "Budget")
public record Budget(
        int id,
        BudgetScope scope,

        @Schema(nullable = true, description = "The API key or the workflow; null for the organization") @Nullable
        String scopeId,

        @Schema(nullable = true, description = "The name of the API key or the workflow") @Nullable
        String scopeName,

        BudgetPeriod period,
        BudgetUnit unit,

        @Schema(description = "Millionths of the currency, or tokens", examples = "50000000")
        long limit,

        @Schema(description = "By calls that have ended in this period")
        long used,

        @Schema(description = "Estimates of the calls in flight")
        long reserved,

        BudgetState state,

        @Schema(description = "When the next period starts") Instant resetsAt,

        Instant createdAt,
        String createdBy,
        Instant updatedAt,
        String updatedBy,
        int revision) {

    /** How much of a budget is left. */
    @Schema(
            name = "BudgetState",
            description =
                    "WARNED: 80 % are used. BLOCKED: the limit is reached, or what is left is less than a call needed"
                            + " that was refused.")
    public enum BudgetState {
        OK,
        WARNED,
        BLOCKED
    }
}
