package dev.parley.apikey;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;

/** Tells whether an organization has a workflow; the workflow feature, which stands below this one, answers it. */
@FunctionalInterface
public interface WorkflowExists {
    boolean exists(OrganizationId organization, WorkflowId workflow);
}
