package dev.parley.budget;

import dev.parley.budget.core.CallEstimate;

/** The unit of a budget. The names are stored. */
public enum BudgetUnit {
    /** Millionths of the currency. */
    COST,
    /** Input and output tokens. */
    TOKENS;

    long of(CallEstimate estimate) {
        return this == COST ? estimate.costMicros() : estimate.tokens();
    }
}
