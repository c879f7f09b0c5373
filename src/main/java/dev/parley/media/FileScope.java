package dev.parley.media;

import dev.parley.http.ApiKeyCaller;
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
    public static FileScope of(ApiKeyCaller caller) {
        return new FileScope(caller.organization(), caller.teamId(), caller.workflowId());
    }

    /** All files of the organization. */
    public static FileScope all(OrganizationId organization) {
        return new FileScope(organization, null, null);
    }
}
