package dev.parley.tool;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationCounters;
import java.time.Instant;
import java.util.List;

/** Stores which tools a provider offers now, within a transaction. A tool with an existing name keeps its id. */
final class OfferedTools {
    private final OrganizationCounters counters;
    private final ToolStore store;

    OfferedTools(Database database) {
        this.counters = database.statements(OrganizationCounters.class);
        this.store = database.statements(ToolStore.class);
    }

    void replace(OrganizationId organization, int provider, List<DiscoveredTool> found, Instant now) {
        store.withdrawOthers(
                organization, provider, found.stream().map(DiscoveredTool::name).toList(), now);
        found.forEach(tool -> offer(organization, provider, tool, now));
    }

    void offer(OrganizationId organization, int provider, DiscoveredTool tool, Instant now) {
        if (!store.update(organization, provider, tool, now)) {
            int id = BuiltInToolId.FIRST_OWN_ID - 1 + counters.next(organization, "tool");
            store.insert(organization, id, provider, tool, now);
        }
    }
}
