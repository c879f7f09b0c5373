package dev.parley.budget;

import dev.parley.db.Database;
import dev.parley.id.NodeId;
import dev.parley.node.MaintenanceJob;
import dev.parley.node.NodeLease;
import dev.parley.node.NodeWork;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import org.jdbi.v3.core.Handle;

/**
 * Releases the reservations of dead nodes: with the takeover of their work, and in a job those that a fenced node stored
 * before it knew.
 */
@Singleton
final class BudgetMaintenance implements NodeWork {
    /** Longer than any call of a model. */
    private static final Duration KEPT_FOR = Duration.ofDays(1);

    private final BudgetStore store;
    private final NodeLease node;
    private final Clock clock;

    BudgetMaintenance(Database database, NodeLease node, Clock clock) {
        this.store = database.statements(BudgetStore.class);
        this.node = node;
        this.clock = clock;
    }

    /** A takeover may have preceded it. */
    void start(@Observes @Priority(20) StartupEvent event) {
        if (!node.isStandby()) {
            node.add(this);
            store.release();
        }
    }

    @Override
    public void adopt(Handle handle, NodeId from, NodeId to) {
        store.release();
    }

    @Override
    public void adopted() {}

    @Override
    public void abandon(NodeId fencedNode) {}

    @Produces
    @Singleton
    MaintenanceJob job() {
        return new MaintenanceJob("release budget reservations", Duration.ofMinutes(1), () -> {
            store.release();
            store.deleteReleased(clock.instant().minus(KEPT_FOR));
        });
    }
}
