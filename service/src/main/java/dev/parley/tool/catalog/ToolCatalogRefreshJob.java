package dev.parley.tool.catalog;

import dev.parley.db.Database;
import dev.parley.node.MaintenanceJob;
import dev.parley.problem.ApiProblem;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jboss.logging.Logger;

/**
 * Refreshes the tools of every MCP server, and of every OpenAPI description with a URL, once a day, and once an hour
 * after a failure. A server's change notifications ({@code tools/list_changed}) would need a permanent connection to
 * each; the dashboard offers an immediate refresh.
 */
@Singleton
public final class ToolCatalogRefreshJob {
    static final Duration READY = Duration.ofHours(24);
    static final Duration FAILED = Duration.ofHours(1);
    private static final Logger LOG = Logger.getLogger(ToolCatalogRefreshJob.class);
    private static final Duration PAUSE = Duration.ofMinutes(5);

    /** Each may take half a minute; the others follow in the next run. */
    private static final int MAX_REFRESHES_PER_RUN = 20;

    private final ToolProviderStore store;
    private final ToolProviders providers;
    private final Clock clock;

    public ToolCatalogRefreshJob(Database database, ToolProviders providers, Clock clock) {
        this.store = database.statements(ToolProviderStore.class);
        this.providers = providers;
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob job() {
        return new MaintenanceJob("refresh tool catalogues", PAUSE, this::refreshDue);
    }

    void refreshDue() {
        Instant now = clock.instant();
        for (ToolProviderStore.RefreshCandidate one :
                store.stale(now.minus(READY), now.minus(FAILED), MAX_REFRESHES_PER_RUN)) {
            try {
                var _ = providers.refresh(one.organization(), one.id());
            } catch (ApiProblem changed) {
                // The provider was changed or deleted meanwhile, which included a refresh.
                LOG.debugf("Provider %d was not refreshed: %s", one.id(), changed.getMessage());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
