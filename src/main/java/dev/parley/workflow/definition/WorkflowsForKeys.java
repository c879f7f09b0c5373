package dev.parley.workflow.definition;

import dev.parley.apikey.WorkflowExists;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import jakarta.inject.Singleton;

/** Lets an API key be restricted to any workflow that is not archived, also to a draft. */
@Singleton
final class WorkflowsForKeys implements WorkflowExists {
    private final WorkflowStore store;

    WorkflowsForKeys(WorkflowStore store) {
        this.store = store;
    }

    @Override
    public boolean exists(OrganizationId organization, WorkflowId workflow) {
        return switch (store.stage(organization, workflow)) {
            case DRAFT, PUBLISHED -> true;
            case UNKNOWN, ARCHIVED -> false;
        };
    }
}
