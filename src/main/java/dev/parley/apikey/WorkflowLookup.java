package dev.parley.apikey;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;

/**
 * Port: checks whether an organization has a workflow. Implemented by the workflow feature, which depends on this
 * package.
 */
@FunctionalInterface
public interface WorkflowLookup {
    boolean exists(OrganizationId organization, WorkflowId workflow);
}
