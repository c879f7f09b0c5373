package dev.parley.tool.catalog;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.tool.source.DiscoveredTool;
import java.time.Instant;

/**
 * The provider of an organization's published workflows: each is a tool whose name is the workflow's id. It exists from
 * the first published workflow on. Its changes are part of the thread's transaction.
 */
public final class WorkflowProvider {
    /** The provider's name in definitions. */
    public static final String NAME = "workflow";

    public static final int ID = 2;

    private WorkflowProvider() {}

    /** Offers a workflow, or replaces its description. */
    public static void offer(Database database, OrganizationId organization, DiscoveredTool workflow, Instant now) {
        database.statements(ToolProviderStore.class).insertWorkflowProvider(organization, ID, NAME, now);
        database.statements(ToolStore.class).offer(organization, ID, workflow, now);
    }

    /** Makes a workflow unavailable; its id stays reserved. */
    public static void withdraw(Database database, OrganizationId organization, String workflow, Instant now) {
        database.statements(ToolStore.class).withdraw(organization, ID, workflow, now);
    }
}
