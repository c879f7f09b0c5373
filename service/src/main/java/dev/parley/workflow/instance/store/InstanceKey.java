package dev.parley.workflow.instance.store;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;

/** The primary key of an instance. */
public record InstanceKey(OrganizationId organization, WorkflowInstanceId id) {}
