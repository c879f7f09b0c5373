package dev.parley.workflow.instance;

import dev.parley.Tenant;
import dev.parley.id.WorkflowId;

/** Workflows for tests of other packages. */
public final class PublishedWorkflows {
    private PublishedWorkflows() {}

    /** It has one task, which asks a person to approve. */
    public static WorkflowId asking(Tenant tenant) {
        return Workflows.of(tenant).human("approve").publish();
    }
}
