package dev.parley.usage;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The key of a count: a metric within the hour that begins then.
 *
 * @param workflow null for all of the organization
 */
record UsageKey(OrganizationId organization, @Nullable WorkflowId workflow, Instant hour, String metric) {}
