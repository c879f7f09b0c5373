package dev.parley.workflow.instance.store;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;

/** An instance's name. */
public record InstanceKey(OrganizationId organization, WorkflowInstanceId id) {}
