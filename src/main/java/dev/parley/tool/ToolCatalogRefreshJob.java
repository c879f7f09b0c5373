package dev.parley.tool;

import dev.parley.node.MaintenanceJob;
import dev.parley.problem.ApiProblem;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jboss.logging.Logger;

/**
 * Asks every MCP server, and every OpenAPI description that has an address, once a day what tools it has, and those
 * that could not be asked once an hour. A server's own news ({@code tools/list_changed}) would need a connection to each
 * that stands all day; who cannot wait has the refresh of the dashboard.
 */
@Singleton
public final class ToolCatalogRefreshJob {
    static final Duration READY = Duration.ofHours(24);
    static final Duration FAILED = Duration.ofHours(1);
    private static final Logger LOG = Logger.getLogger(ToolCatalogRefreshJob.class);
    private static final Duration PAUSE = Duration.ofMinutes(5);

    /** Each may take half a minute; the others come next time. */
    private static final int AT_ONCE = 20;

    private final ToolProviderStore store;
    private final ToolProviders providers;
    private final Clock clock;

    public ToolCatalogRefreshJob(ToolProviderStore store, ToolProviders providers, Clock clock) {
        this.store = store;
        this.providers = providers;
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob chore() {
        return new MaintenanceJob("look at providers of tools", PAUSE, this::look);
    }

    void look() {
        Instant now = clock.instant();
        for (ToolProviderStore.Stale one : store.stale(now.minus(READY), now.minus(FAILED), AT_ONCE)) {
            try {
                var _ = providers.refresh(one.organization(), one.id());
            } catch (ApiProblem changed) {
                // Somebody changed or deleted it meanwhile, which was a look of its own.
                LOG.debugf("Provider %d was not looked at: %s", one.id(), changed.getMessage());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
