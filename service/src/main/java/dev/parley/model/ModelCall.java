package dev.parley.model;

import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a request to a model, and the model.
 *
 * @param workflow null outside workflows
 * @param apiKey the key that caused the call; null if a user or the service did
 * @param model the alias of a model of the organization; null for the organization's default
 * @param fallbacks aliases of the models to try in order when the model cannot reply
 */
public record ModelCall(
        OrganizationId organization,
        @Nullable WorkflowId workflow,
        @Nullable ApiKeyId apiKey,
        @Nullable String model,
        List<String> fallbacks) {
    public ModelCall {
        fallbacks = List.copyOf(fallbacks);
    }
}
