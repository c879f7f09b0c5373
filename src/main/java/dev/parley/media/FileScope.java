package dev.parley.media;

import dev.parley.http.Viewer;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import org.jspecify.annotations.Nullable;

/**
 * Whose eyes look for a file: with a team or a workflow, only what such a key uploaded and what conversations and
 * instances of it use.
 */
public record FileScope(
        OrganizationId organization,
        @Nullable Integer teamId,
        @Nullable WorkflowId workflowId) {
    public static FileScope of(Viewer viewer) {
        return new FileScope(viewer.organization(), viewer.teamId(), viewer.workflowId());
    }

    /** All files of the organization. */
    public static FileScope all(OrganizationId organization) {
        return new FileScope(organization, null, null);
    }
}
