package dev.parley.budget;

import dev.parley.budget.core.BudgetOwner;
import dev.parley.id.Id;
import java.util.Set;

/** The calls that a budget counts. The names are stored. */
public enum BudgetScope {
    ORGANIZATION,
    API_KEY,
    WORKFLOW;

    /** Whether a budget with these ids of keys or workflows counts the calls of an owner. */
    boolean matches(Set<String> ids, BudgetOwner owner) {
        Id id = this == API_KEY ? owner.apiKey() : owner.workflow();
        return this == ORGANIZATION || (id != null && ids.contains(id.text()));
    }
}
