package dev.parley.budget.core;

import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import org.jspecify.annotations.Nullable;

/**
 * The organization, the workflow and the API key whose budgets count a call.
 *
 * @param workflow null outside workflows
 * @param apiKey the key that caused the call; null if a user or the service did
 */
public record BudgetOwner(
        OrganizationId organization,
        @Nullable WorkflowId workflow,
        @Nullable ApiKeyId apiKey) {}
