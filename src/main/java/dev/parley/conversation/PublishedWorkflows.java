package dev.parley.conversation;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;

/** What a conversation must know of workflows; the workflow package answers it. */
public interface PublishedWorkflows {
    /** How far a workflow has come. */
    enum Stage {
        UNKNOWN,
        DRAFT,
        PUBLISHED,
        ARCHIVED
    }

    Stage stage(OrganizationId organization, WorkflowId workflow);
}
