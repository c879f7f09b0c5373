package dev.parley.tool;

import dev.parley.id.OrganizationId;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/**
 * The provider of an organization's published workflows: each is a tool whose name is the workflow's id. It exists from
 * the first published workflow on.
 */
public final class WorkflowProvider {
    /** The provider's name in definitions. */
    public static final String NAME = "workflow";

    static final int ID = 2;

    private WorkflowProvider() {}

    /** Offers a workflow, or replaces its description. */
    public static void offer(Handle handle, OrganizationId organization, DiscoveredTool workflow, Instant now) {
        handle.createUpdate("""
                        INSERT INTO tool_provider (organization_id, id, kind, name, description, credentials_set, status,
                            warnings, revision, created_by, updated_by, created_at, updated_at)
                        VALUES (:organization, :id, :kind, :name, 'The published workflows of the organization.', '',
                            :ready, '[]', 1, 'system', 'system', :now, :now)
                        ON CONFLICT (organization_id, id) DO NOTHING""")
                .bind("organization", organization)
                .bind("id", ID)
                .bind("kind", ProviderKind.WORKFLOW.text())
                .bind("name", NAME)
                .bind("ready", ToolProvider.READY)
                .bind("now", now)
                .execute();
        ToolStore.offer(handle, organization, ID, workflow, now);
    }

    /** Makes a workflow unavailable; its id stays reserved. */
    public static void withdraw(Handle handle, OrganizationId organization, String workflow, Instant now) {
        handle.createUpdate("""
                        UPDATE tool SET available = false, updated_at = :now
                        WHERE organization_id = :organization AND provider_id = :provider AND name = :name
                          AND available""")
                .bind("organization", organization)
                .bind("provider", ID)
                .bind("name", workflow)
                .bind("now", now)
                .execute();
    }
}
