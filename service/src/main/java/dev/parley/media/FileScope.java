package dev.parley.media;

import dev.parley.http.access.Viewer;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import org.jspecify.annotations.Nullable;

/**
 * The files that a caller may see. With a team or a workflow: uploads of such a key, and files used by such
 * conversations and instances.
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
