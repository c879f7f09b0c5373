package dev.parley.conversation;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;

/** Port: the state of workflows, for conversations. Implemented by the workflow package. */
public interface PublishedWorkflows {
    /** The state of a workflow. */
    enum Stage {
        UNKNOWN,
        DRAFT,
        PUBLISHED,
        ARCHIVED
    }

    Stage stage(OrganizationId organization, WorkflowId workflow);
}
