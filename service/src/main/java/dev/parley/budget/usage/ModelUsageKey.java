package dev.parley.budget.usage;

import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** By what the use of models is counted. */
record ModelUsageKey(
        OrganizationId organization,
        LocalDate day,
        String model,
        @Nullable WorkflowId workflow,
        @Nullable ApiKeyId apiKey) {}
