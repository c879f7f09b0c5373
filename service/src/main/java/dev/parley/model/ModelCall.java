package dev.parley.model;

import dev.parley.budget.core.BudgetOwner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a request to a model, and the models that may reply.
 *
 * @param model the alias of a model of the organization; null for the organization's default
 * @param fallbacks aliases of the models to try in order when the model cannot reply
 */
public record ModelCall(BudgetOwner owner, @Nullable String model, List<String> fallbacks) {
    public ModelCall {
        fallbacks = List.copyOf(fallbacks);
    }
}
