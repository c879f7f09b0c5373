package dev.parley.budget.usage;

import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import org.jspecify.annotations.Nullable;

/**
 * By what the use of models is counted.
 *
 * @param day in UTC, such as {@code 2026-01-31}
 */
record ModelUsageKey(
        OrganizationId organization,
        String day,
        String model,
        @Nullable WorkflowId workflow,
        @Nullable ApiKeyId apiKey) {}
