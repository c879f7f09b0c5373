package dev.parley.usage;

import dev.parley.id.OrganizationId;
import java.time.Instant;

/** The key of a count: an organization's metric within the hour that begins then. */
record UsageKey(OrganizationId organization, Instant hour, String metric) {}
