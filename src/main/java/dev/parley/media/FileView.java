package dev.parley.media;

import dev.parley.http.Caller;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import org.jspecify.annotations.Nullable;

/**
 * Whose eyes look for a file: with a team or a workflow, only what such a key uploaded and what conversations and
 * instances of it use.
 */
public record FileView(
        OrganizationId organization,
        @Nullable Integer teamId,
        @Nullable WorkflowId workflowId) {
    public static FileView of(Caller caller) {
        return new FileView(caller.organization(), caller.teamId(), caller.workflowId());
    }

    /** All files of the organization. */
    public static FileView all(OrganizationId organization) {
        return new FileView(organization, null, null);
    }
}
