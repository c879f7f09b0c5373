package dev.parley.budget;

import dev.parley.budget.core.BudgetOwner;
import dev.parley.id.Id;
import org.jspecify.annotations.Nullable;

/** Whose calls a budget limits. The names are stored. */
public enum BudgetScope {
    ORGANIZATION,
    API_KEY,
    WORKFLOW;

    /** The id of the scope that a call belongs to; null for none, and for the organization. */
    @Nullable
    Id idOf(BudgetOwner owner) {
        return switch (this) {
            case ORGANIZATION -> null;
            case API_KEY -> owner.apiKey();
            case WORKFLOW -> owner.workflow();
        };
    }
}
